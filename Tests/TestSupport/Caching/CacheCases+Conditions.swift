/// Conditional requests of the caller.
extension CacheCases {
  private static let modified = "Fri, 01 Jan 2027 00:00:00 GMT"
  private static let stored: CacheCase.Fields = [
    "Cache-Control": "max-age=60", "ETag": "\"v1\"", "Last-Modified": modified,
    "Content-Type": "text/plain",
  ]

  private static func current(
    _ name: String, _ request: CacheCase.Fields, _ fields: CacheCase.Fields = stored
  ) -> CacheCase {
    CacheCase(
      "9111 4.3.2", name,
      [
        .get(origin: .ok(fields), .forwarded),
        .wait(10),
        .get(
          with: request,
          .hit(lacks: ["Content-Type", "Content-Length"], age: 10, status: 304, body: .text(""))),
      ])
  }

  private static func outdated(
    _ name: String, _ request: CacheCase.Fields, _ fields: CacheCase.Fields = stored,
    section: String = "9111 4.3.2"
  ) -> CacheCase {
    CacheCase(
      section, name,
      [
        .get(origin: .ok(fields), .forwarded),
        .wait(10),
        .get(with: request, .hit(age: 10, status: 200)),
      ])
  }

  /// Returns a case with a request that only the origin may evaluate, unchanged.
  private static func forwarded(
    _ name: String, _ request: CacheCase.Fields, status: Int = 304, wait: Double = 10,
    section: String = "9111 4.3.2"
  ) -> CacheCase {
    let own = Set(request.lines.map { $0.name })
    return CacheCase(
      section, name,
      [
        .get(origin: .ok(stored), .forwarded),
        .wait(wait),
        .get(
          with: request, origin: CacheCase.Reply(status), sees: request,
          seesNo: ["If-None-Match", "If-Modified-Since"].filter { !own.contains($0) },
          .forwarded(status: status)),
      ])
  }

  static let ownConditions: [CacheCase] = [
    current("If-None-Match with the stored tag is a 304", ["If-None-Match": "\"v1\""]),
    current("If-None-Match compares weakly", ["If-None-Match": "W/\"v1\""]),
    current("If-None-Match with *", ["If-None-Match": "*"]),
    current(
      "If-None-Match with several tags", ["If-None-Match": "\"v0\", W/\"x,y\" ,\"v1\""]),
    current(
      "If-None-Match in several lines", ["If-None-Match": "\"v0\"", "if-none-match": "\"v1\""]),
    current(
      "a weak stored tag", ["If-None-Match": "\"v1\""],
      ["Cache-Control": "max-age=60", "ETag": "W/\"v1\""]),
    current(
      "If-None-Match goes before If-Modified-Since",
      ["If-None-Match": "\"v1\"", "If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"]),
    current("If-Modified-Since with the stored date", ["If-Modified-Since": modified]),
    current(
      "If-Modified-Since with a later date",
      ["If-Modified-Since": "Sat, 02 Jan 2027 00:00:00 GMT"]),
    current(
      "If-Modified-Since is compared with Date where there is no Last-Modified",
      ["If-Modified-Since": "{date-10}"], ["Cache-Control": "max-age=60"]),
    outdated(
      "a date before Date is not current", ["If-Modified-Since": "{date-11}"],
      ["Cache-Control": "max-age=60"]),
    outdated("another tag", ["If-None-Match": "\"v2\""]),
    outdated("a tag in another case", ["If-None-Match": "\"V1\""]),
    outdated("a part of a tag", ["If-None-Match": "\"v\", \"1\""]),
    outdated(
      "If-None-Match goes before a current If-Modified-Since",
      ["If-None-Match": "\"v2\"", "If-Modified-Since": modified]),
    outdated(
      "If-None-Match where there is no tag", ["If-None-Match": "\"v1\""],
      ["Cache-Control": "max-age=60"]),
    outdated(
      "an earlier date", ["If-Modified-Since": "Thu, 31 Dec 2026 23:59:59 GMT"]),
    outdated(
      "a date that is none is ignored", ["If-Modified-Since": "tomorrow"],
      section: "9110 13.1.3"),
    CacheCase(
      "9110 15.4.5", "a 304 has the fields that a 200 would have",
      [
        .get(origin: .ok(stored), .forwarded),
        .wait(10),
        .get(
          with: ["If-None-Match": "\"v1\""],
          .hit(
            ["ETag": "\"v1\"", "Cache-Control": "max-age=60", "Date": "{date-10}"], age: 10,
            status: 304, body: .text(""))),
      ]),
    CacheCase(
      "9110 13.2.1", "conditions are ignored for a stored error",
      [
        .get(
          origin: CacheCase.Reply(404, ["Cache-Control": "max-age=60", "ETag": "\"v1\""]),
          .forwarded),
        .get(with: ["If-None-Match": "\"v1\""], .hit(status: 404)),
      ]),
    forwarded("If-Match is the origin's", ["If-Match": "\"v1\""], status: 412),
    forwarded(
      "If-Unmodified-Since is the origin's",
      ["If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"], status: 412),
    forwarded(
      "a stale response has no part in If-None-Match", ["If-None-Match": "\"v0\""], status: 304,
      wait: 60),
    forwarded(
      "a stale response has no part in If-Modified-Since",
      ["If-Modified-Since": "Sat, 02 Jan 2027 00:00:00 GMT"], wait: 60),
    CacheCase(
      "9111 4.3.2", "without a stored response conditions reach the origin",
      [
        .get(
          with: ["If-None-Match": "\"v1\""], origin: .notModified(["ETag": "\"v1\""]),
          sees: ["If-None-Match": "\"v1\""], .forwarded(status: 304))
      ]),
    CacheCase(
      "9111 3", "a 304 to the caller's condition is not stored",
      [
        .get(
          with: ["If-None-Match": "\"v1\""],
          origin: .notModified(["ETag": "\"v1\"", "Cache-Control": "max-age=60"]),
          .forwarded(status: 304)),
        .get(origin: .ok(), seesNo: ["If-None-Match"], .forwarded(status: 200)),
      ]),
    CacheCase(
      "9111 4.3.4", "a 304 to the caller's condition freshens what has its tag",
      [
        .get(origin: .ok(stored), .forwarded),
        .wait(60),
        .get(
          with: ["If-None-Match": "\"v1\""], origin: .notModified(["ETag": "\"v1\""]),
          .forwarded(status: 304)),
        .wait(59),
        .get(.hit(age: 59, status: 200)),
      ]),
    CacheCase(
      "9111 4.3.4", "a 304 to the caller's condition freshens nothing with another tag",
      [
        .get(origin: .ok(stored), .forwarded),
        .wait(60),
        .get(
          with: ["If-None-Match": "\"v0\""], origin: .notModified(["ETag": "\"v0\""]),
          .forwarded(status: 304)),
        .get(origin: .ok(), sees: ["If-None-Match": "\"v1\""], .forwarded),
      ]),
    CacheCase(
      "9111 3", "a 200 to the caller's condition is stored",
      [
        .get(with: ["If-None-Match": "\"v0\""], origin: .ok(stored), .forwarded),
        .get(.hit(status: 200)),
      ]),
  ]
}
