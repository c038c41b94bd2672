/// The effects of unsafe requests and `HEAD` on stored responses.
extension CacheCases {
  private static let hour: CacheCase.Fields = ["Cache-Control": "max-age=3600"]

  private static func unsafe(_ method: String, _ status: Int, invalidates: Bool) -> CacheCase {
    CacheCase(
      "9111 4.4", "\(method) with a \(status) \(invalidates ? "invalidates" : "keeps") its target",
      [
        .get(origin: .ok(hour), .forwarded),
        .send(method, origin: CacheCase.Reply(status), .forwarded),
        invalidates ? .get(origin: .ok(), .forwarded) : .get(.hit),
      ])
  }

  private static func referring(
    _ name: String, _ fields: CacheCase.Fields, status: Int = 200, path: String = "/b",
    invalidates: Bool
  ) -> CacheCase {
    CacheCase(
      "9111 4.4", name,
      [
        .get(path: path, origin: .ok(hour), .forwarded),
        .send("POST", origin: CacheCase.Reply(status, fields), .forwarded),
        invalidates ? .get(path: path, origin: .ok(), .forwarded) : .get(path: path, .hit),
      ])
  }

  static let invalidation: [CacheCase] =
    ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "LINK"].map {
      unsafe($0, 200, invalidates: true)
    }
    + [201, 204, 303].map { unsafe("POST", $0, invalidates: true) }
    + ["POST", "PUT", "DELETE", "M-SEARCH"].flatMap { method in
      [404, 500].map { unsafe(method, $0, invalidates: false) }
    }
    + ["OPTIONS", "PROPFIND", "REPORT", "SEARCH"].map { unsafe($0, 200, invalidates: false) } + [
      CacheCase(
        "9111 4.4", "an unsafe request that fails keeps its target",
        [
          .get(origin: .ok(hour), .forwarded),
          .send("POST", origin: .disconnect, .failed),
          .get(.hit),
        ]),
      CacheCase(
        "9111 4.4", "an unsafe request invalidates all variants",
        [
          .get(
            with: ["Foo": "1"], origin: .ok(["Cache-Control": "max-age=60", "Vary": "Foo"]),
            .forwarded),
          .get(
            with: ["Foo": "2"], origin: .ok(["Cache-Control": "max-age=60", "Vary": "Foo"]),
            .forwarded),
          .send("PUT", with: ["Foo": "3"], origin: CacheCase.Reply(204), .forwarded),
          .get(with: ["Foo": "1"], origin: .ok(), .forwarded),
          .get(with: ["Foo": "2"], origin: .ok(), .forwarded),
        ]),
      CacheCase(
        "9111 4.4", "an unsafe request keeps other URLs",
        [
          .get(path: "/b", origin: .ok(hour), .forwarded),
          .send("PUT", origin: CacheCase.Reply(204), .forwarded),
          .get(path: "/b", .hit),
        ]),
      referring("Location is invalidated", ["Location": "/b"], invalidates: true),
      referring(
        "Location is invalidated, as a whole URL", ["Location": "{origin}/b"], invalidates: true),
      referring(
        "Location is invalidated, relative to the target", ["Location": "b"], invalidates: true),
      referring(
        "Location is invalidated after a 201", ["Location": "/b"], status: 201, invalidates: true),
      referring("Content-Location is invalidated", ["Content-Location": "/b"], invalidates: true),
      referring(
        "Content-Location is invalidated, as a whole URL", ["Content-Location": "{origin}/b"],
        invalidates: true),
      referring(
        "a Location of another origin is kept", ["Location": "https://other.example/b"],
        invalidates: false),
      referring(
        "an error's Location is kept", ["Location": "/b"], status: 400, invalidates: false),
    ]

  private static func headed(
    _ name: String, _ stored: CacheCase.Fields, _ head: CacheCase.Fields, status: Int = 200,
    _ then: CacheCase.Step...
  ) -> CacheCase {
    var fields = stored
    fields.lines.append(.init(name: "Cache-Control", value: "max-age=60"))
    return CacheCase(
      "9111 4.3.5", name,
      [
        .get(origin: .ok(fields), .forwarded),
        .wait(60),
        .send("HEAD", origin: CacheCase.Reply(status, head, body: ""), .forwarded(status: status)),
        .wait(1),
      ] + then)
  }

  static let head: [CacheCase] = [
    CacheCase(
      "9110 9.3.2", "HEAD is served from what GET stored",
      [
        .get(origin: .ok(["Cache-Control": "max-age=60", "Foo": "1"]), .forwarded),
        .wait(10),
        .send("HEAD", .hit(["Foo": "1"], age: 10, status: 200)),
      ]),
    CacheCase(
      "9111 4.3.5", "HEAD is forwarded without conditions when it is stale",
      [
        .get(origin: .ok(["Cache-Control": "max-age=60", "ETag": "\"v1\""]), .forwarded),
        .wait(60),
        .send(
          "HEAD", origin: .ok(["ETag": "\"v1\""], body: ""), seesNo: ["If-None-Match"],
          .forwarded),
      ]),
    headed(
      "HEAD with the same tag freshens", ["ETag": "\"v1\""], ["ETag": "\"v1\""], .get(.hit(age: 1))
    ),
    headed(
      "HEAD updates fields", ["ETag": "\"v1\"", "Foo": "1", "Bar": "1"],
      ["ETag": "\"v1\"", "Foo": "2"], .get(.hit(["Foo": "2", "Bar": "1"]))),
    headed(
      "HEAD updates the lifetime", ["ETag": "\"v1\""],
      ["ETag": "\"v1\"", "Cache-Control": "max-age=600"], .wait(500), .get(.hit(age: 501))),
    headed(
      "HEAD with the same date freshens", ["Last-Modified": "Fri, 01 Jan 2027 00:00:00 GMT"],
      ["Last-Modified": "Fri, 01 Jan 2027 00:00:00 GMT"], .get(.hit)),
    headed(
      "HEAD with the same length freshens", ["Content-Length": "6"], ["Content-Length": "6"],
      .get(.hit)),
    headed("HEAD with nothing to compare freshens", [:], ["Foo": "1"], .get(.hit(["Foo": "1"]))),
    headed(
      "HEAD with another tag outdates", ["ETag": "\"v1\""], ["ETag": "\"v2\""],
      .get(origin: .ok(), .forwarded)),
    headed(
      "HEAD with a tag outdates what has none", [:], ["ETag": "\"v2\""],
      .get(origin: .ok(), .forwarded)),
    headed(
      "HEAD with another date outdates", ["Last-Modified": "Fri, 01 Jan 2027 00:00:00 GMT"],
      ["Last-Modified": "Sat, 02 Jan 2027 00:00:00 GMT"], .get(origin: .ok(), .forwarded)),
    headed(
      "HEAD with the same tag and another length outdates",
      ["ETag": "\"v1\"", "Content-Length": "6"], ["ETag": "\"v1\"", "Content-Length": "7"],
      .get(origin: .ok(), .forwarded)),
    headed(
      "an error to HEAD changes nothing", ["ETag": "\"v1\""], ["ETag": "\"v2\""], status: 410,
      .get(origin: .notModified(["ETag": "\"v1\""]), .validated)),
    CacheCase(
      "9111 4.3.5", "HEAD freshens no other variant",
      [
        .get(
          with: ["Foo": "1"],
          origin: .ok(["Cache-Control": "max-age=60", "Vary": "Foo", "ETag": "\"v1\""]),
          .forwarded),
        .wait(60),
        .send("HEAD", with: ["Foo": "2"], origin: .ok(["ETag": "\"v1\""], body: ""), .forwarded),
        .get(with: ["Foo": "1"], origin: .notModified(["ETag": "\"v1\""]), .validated),
      ]),
  ]
}
