/// Validation of stored responses.
extension CacheCases {
  private static let modified = "Fri, 01 Jan 2027 00:00:00 GMT"

  /// Returns a case with a response that is stale at once, and the fields of its validation request.
  private static func asks(
    _ name: String, _ fields: CacheCase.Fields, sees: CacheCase.Fields = [:],
    seesNo: [String] = [], section: String = "9111 4.3.1"
  ) -> CacheCase {
    var response = fields
    response.lines.append(.init(name: "Cache-Control", value: "max-age=0"))
    return CacheCase(
      section, name,
      [
        .get(origin: .ok(response), seesNo: ["If-None-Match", "If-Modified-Since"], .forwarded),
        .get(origin: .ok(), sees: sees, seesNo: seesNo, .forwarded),
      ])
  }

  /// Returns a case with a stale response, and a 304 after which it is served or the request is resent.
  private static func answered(
    _ name: String, _ fields: CacheCase.Fields, _ notModified: CacheCase.Fields,
    isUsed: Bool = true, section: String = "9111 4.3.4"
  ) -> CacheCase {
    var response = fields
    response.lines.append(.init(name: "Cache-Control", value: "max-age=0"))
    return CacheCase(
      section, name,
      [
        .get(origin: .ok(response), .forwarded),
        isUsed
          ? .get(origin: .notModified(notModified), .validated)
          : .get(origin: .notModified(notModified), then: [.ok()], .forwarded(status: 200)),
      ])
  }

  static let validation: [CacheCase] = [
    asks(
      "a strong tag", ["ETag": "\"v1\""], sees: ["If-None-Match": "\"v1\""],
      seesNo: ["If-Modified-Since", "If-Match", "If-Range"]),
    asks("a weak tag", ["ETag": "W/\"v1\""], sees: ["If-None-Match": "W/\"v1\""]),
    asks("a tag without quotes", ["ETag": "v1"], sees: ["If-None-Match": "v1"]),
    asks(
      "a tag with a comma and a backslash", ["ETag": #""a,\b""#],
      sees: ["If-None-Match": #""a,\b""#]),
    asks("an empty tag", ["ETag": "\"\""], sees: ["If-None-Match": "\"\""]),
    asks("no half a tag", ["ETag": "\"v1"], seesNo: ["If-None-Match"]),
    asks(
      "the date of the last modification", ["Last-Modified": modified],
      sees: ["If-Modified-Since": modified], seesNo: ["If-None-Match", "If-Unmodified-Since"]),
    asks(
      "a tag and a date", ["ETag": "\"v1\"", "Last-Modified": modified],
      sees: ["If-None-Match": "\"v1\"", "If-Modified-Since": modified]),
    asks(
      "no date of the last modification that is none", ["Last-Modified": "yesterday"],
      seesNo: ["If-Modified-Since"]),
    asks(
      "nothing without validators", [:], seesNo: ["If-None-Match", "If-Modified-Since"]),
    CacheCase(
      "9110 13.2.1", "an error's validators are not sent",
      [
        .get(
          origin: CacheCase.Reply(404, ["Cache-Control": "max-age=0", "ETag": "\"v1\""]),
          .forwarded),
        .get(origin: .ok(), seesNo: ["If-None-Match"], .forwarded),
      ]),
    CacheCase(
      "9111 4.3.3", "a full response replaces the stored response",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(5),
        .get(
          origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v2\""]),
          sees: ["If-None-Match": "\"v1\""], .forwarded),
        .get(.hit(["ETag": "\"v2\""], body: .of(2))),
      ]),
    CacheCase(
      "9111 4.3.3", "an error after a validation is forwarded, and the stored response stays",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(5),
        .get(origin: CacheCase.Reply(503), .forwarded(status: 503)),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated),
      ]),
    CacheCase(
      "9111 4.3.3", "a fresh response is not validated",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(4),
        .get(.hit),
      ]),
    answered("a 304 with the same strong tag", ["ETag": "\"v1\""], ["ETag": "\"v1\""]),
    answered("a 304 with the same weak tag", ["ETag": "W/\"v1\""], ["ETag": "W/\"v1\""]),
    answered(
      "a weak tag in a 304 matches the strong one", ["ETag": "\"v1\""], ["ETag": "W/\"v1\""]),
    answered(
      "a strong tag in a 304 does not match the weak one", ["ETag": "W/\"v1\""],
      ["ETag": "\"v1\""], isUsed: false),
    answered(
      "a 304 with another strong tag is for nothing", ["ETag": "\"v1\""], ["ETag": "\"v2\""],
      isUsed: false),
    answered(
      "a 304 with another weak tag is for nothing", ["ETag": "W/\"v1\""], ["ETag": "W/\"v2\""],
      isUsed: false),
    answered(
      "tags have case", ["ETag": "\"v1\""], ["ETag": "\"V1\""], isUsed: false,
      section: "9110 8.8.3.2"),
    answered(
      "a 304 with the same date", ["Last-Modified": modified], ["Last-Modified": modified]),
    answered(
      "a 304 with another date is for nothing", ["Last-Modified": modified],
      ["Last-Modified": "Sat, 02 Jan 2027 00:00:00 GMT"], isUsed: false),
    answered(
      "a 304 with a new strong tag is for nothing", ["Last-Modified": modified],
      ["ETag": "\"v1\"", "Last-Modified": modified], isUsed: false),
    answered(
      "a 304 without a date is for the validated response", ["Last-Modified": modified], [:],
      section: "9110 15.4.5"),
    answered(
      "a 304 without a tag is for the validated response", ["ETag": "\"v1\""], [:],
      section: "9110 15.4.5"),
    answered(
      "a 304 with just the date of a response with a tag",
      ["ETag": "\"v1\"", "Last-Modified": modified], ["Last-Modified": modified]),
  ]
}
