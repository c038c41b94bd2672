import Curlew

/// The fields of a stored response that a 304 updates.
extension CacheCases {
  private static let modified = "Fri, 01 Jan 2027 00:00:00 GMT"

  /// Returns a case: a response with a field, a 304 with another value of it, and the value served afterwards.
  private static func updates(
    _ name: String, from old: String, to new: String, _ expected: String,
    section: String = "9111 3.2"
  ) -> CacheCase {
    CacheCase(
      section, expected == new ? "a 304 updates \(name)" : "a 304 does not update \(name)",
      [
        .get(
          // A client may reject a coding that it did not request.
          with: ["Accept-Encoding": "*"],
          origin: .ok(
            CacheCase.Fields(lines: [
              .init(name: "Cache-Control", value: "max-age=5"),
              .init(name: "ETag", value: "\"v1\""), .init(name: name, value: old),
            ])), .forwarded),
        .wait(5),
        .get(
          origin: .notModified(
            CacheCase.Fields(lines: [
              .init(name: "ETag", value: "\"v1\""), .init(name: name, value: new),
            ])), .validated(CacheCase.Fields(lines: [.init(name: name, value: expected)]))),
        .wait(1),
        .get(
          mode: .cacheOnly,
          .hit(CacheCase.Fields(lines: [.init(name: name, value: expected)]))),
      ])
  }

  static let freshening: [CacheCase] = [
    updates("Test-Header", from: "a", to: "b", "b"),
    updates("X-Frame-Options", from: "deny", to: "sameorigin", "sameorigin"),
    updates("Content-Location", from: "/foo", to: "/bar", "/bar"),
    updates("Content-Language", from: "en", to: "de", "de"),
    updates("Content-Foo", from: "a", to: "b", "b"),
    updates("Set-Cookie", from: "a=b", to: "a=c", "a=c"),
    updates(
      "Expires", from: "Fri, 15 Jan 2038 08:00:00 GMT", to: "Mon, 11 Jan 2038 11:11:11 GMT",
      "Mon, 11 Jan 2038 11:11:11 GMT"),
    updates("Content-Encoding", from: "a", to: "b", "a"),
    updates("Content-Type", from: "text/plain", to: "text/html", "text/plain"),
    updates("Content-Range", from: "a", to: "b", "a"),
    updates("Content-Length", from: "6", to: "10", "6"),
    CacheCase(
      "9111 3.2", "fields that a 304 does not have stay",
      [
        .get(
          origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\"", "Foo": "1"]), .forwarded),
        .wait(5),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated(["Foo": "1"])),
      ]),
    CacheCase(
      "9111 3.2", "a 304 replaces all lines of a field",
      [
        .get(
          origin: .ok([
            "Cache-Control": "max-age=5", "ETag": "\"v1\"", "Foo": "1", "foo": "2",
          ]), .forwarded),
        .wait(5),
        .get(
          origin: .notModified(["ETag": "\"v1\"", "Foo": "3", "foo": "4"]),
          .validated(["Foo": "3, 4"])),
      ]),
    CacheCase(
      "9111 3.1", "a 304's fields of the connection are not stored",
      [
        .get(origin: .ok(["Cache-Control": "max-age=0", "ETag": "\"v1\""]), .forwarded),
        .get(
          origin: .notModified([
            "Cache-Control": "max-age=60", "ETag": "\"v1\"", "Connection": "Foo", "Foo": "1",
            "Keep-Alive": "timeout=5",
          ]), .validated(lacks: ["Foo", "Keep-Alive", "Connection"])),
        .get(.hit(lacks: ["Foo", "Keep-Alive", "Connection"])),
      ]),
    CacheCase(
      "9111 4.3.4", "a 304 makes it fresh for the old lifetime",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(5),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated),
        .wait(4),
        .get(.hit(age: 4)),
        .wait(1),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated),
      ]),
    CacheCase(
      "9111 4.3.4", "a 304 makes it fresh for a new lifetime",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(5),
        .get(
          origin: .notModified(["ETag": "\"v1\"", "Cache-Control": "max-age=60"]),
          .validated(["Cache-Control": "max-age=60"])),
        .wait(59),
        .get(.hit(["Cache-Control": "max-age=60"], age: 59)),
      ]),
    CacheCase(
      "9111 4.3.4", "a 304 may make it stale for good",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(5),
        .get(
          origin: .notModified(["ETag": "\"v1\"", "Cache-Control": "no-cache"]), .validated),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated),
      ]),
    CacheCase(
      "9111 5.1", "a response that was just validated has no Age",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(50),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated(lacks: ["Age"])),
      ]),
    CacheCase(
      "9111 4.2.3", "the old Age does not apply to the validated response",
      [
        .get(
          origin: .ok(["Cache-Control": "max-age=60", "ETag": "\"v1\"", "Age": "50"]),
          .forwarded),
        .wait(50),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated(lacks: ["Age"])),
        .wait(30),
        .get(.hit(age: 30)),
      ]),
    CacheCase(
      "9111 4.2.3", "the Age of a 304 counts",
      [
        .get(origin: .ok(["Cache-Control": "max-age=60", "ETag": "\"v1\""]), .forwarded),
        .wait(60),
        .get(origin: .notModified(["ETag": "\"v1\"", "Age": "40"]), .validated(age: 40)),
        .wait(10),
        .get(.hit(age: 50)),
        .wait(10),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated),
      ]),
    CacheCase(
      "9110 6.6.1", "a 304 without Date was sent when it arrived",
      [
        .get(origin: .ok(["Cache-Control": "max-age=60", "ETag": "\"v1\""]), .forwarded),
        .wait(100),
        .get(
          origin: CacheCase.Reply(304, ["ETag": "\"v1\""], hasDate: false), .validated),
        .wait(10),
        .get(.hit(age: 10)),
      ]),
    CacheCase(
      "9111 4.3.4", "a 304 brings a tag that the next validation sends",
      [
        .get(
          origin: .ok(["Cache-Control": "max-age=0", "ETag": "W/\"v1\"", "Foo": "1"]),
          .forwarded),
        .get(origin: .notModified(["ETag": "W/\"v1\"", "Last-Modified": modified]), .validated),
        .get(
          origin: .notModified(["ETag": "W/\"v1\""]), sees: ["If-Modified-Since": modified],
          .validated(["Foo": "1"])),
      ]),
  ]
}
