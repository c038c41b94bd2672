/// Stale responses that may be served.
extension CacheCases {
  private static func failing(
    _ section: String, _ name: String, _ control: String, request: CacheCase.Fields = [:],
    wait: Double, offline: Duration = .zero, _ reply: CacheCase.Reply,
    _ result: CacheCase.Result
  ) -> CacheCase {
    CacheCase(
      section, name, maximumOfflineStaleness: offline,
      [
        .get(origin: .ok(["Cache-Control": control, "ETag": "\"v1\""]), .forwarded),
        .wait(wait),
        .get(with: request, origin: reply, result),
      ])
  }

  private static let window = "max-age=10, stale-if-error=60"

  static let stale: [CacheCase] =
    [500, 502, 503, 504].map { status in
      failing(
        "5861 4", "stale-if-error serves instead of a \(status)", window, wait: 70,
        CacheCase.Reply(status), .stale(age: 70))
    }
    + [404, 501, 505, 429].map { status in
      failing(
        "5861 4", "stale-if-error does not serve instead of a \(status)", window, wait: 20,
        CacheCase.Reply(status), .forwarded(status: status))
    } + [
      failing(
        "5861 4", "stale-if-error serves when the origin disconnects", window, wait: 70,
        .disconnect, .stale(age: 70)),
      failing(
        "5861 4", "stale-if-error ends", window, wait: 71, CacheCase.Reply(503),
        .forwarded(status: 503)),
      failing(
        "5861 4", "stale-if-error ends also when the origin disconnects", window, wait: 71,
        .disconnect, .failed),
      failing(
        "5861 4", "a malformed stale-if-error permits nothing", "max-age=10, stale-if-error=x",
        wait: 20, CacheCase.Reply(503), .forwarded(status: 503)),
      failing(
        "5861 4", "stale-if-error asks the origin first", window, wait: 20,
        .notModified(["ETag": "\"v1\""]), .validated),
      failing(
        "5861 4", "a request may permit stale-if-error", "max-age=10",
        request: ["Cache-Control": "stale-if-error=60"], wait: 70, CacheCase.Reply(500),
        .stale(age: 70)),
      failing(
        "5861 4", "a request's stale-if-error ends", "max-age=10",
        request: ["Cache-Control": "stale-if-error=60"], wait: 71, CacheCase.Reply(500),
        .forwarded(status: 500)),
      failing(
        "9111 5.2.2.2", "must-revalidate wins over stale-if-error",
        "max-age=10, must-revalidate, stale-if-error=60", wait: 20, CacheCase.Reply(503),
        .forwarded(status: 503)),
      failing(
        "9111 4.2.4", "no-cache wins over stale-if-error", "no-cache, stale-if-error=60", wait: 1,
        CacheCase.Reply(503), .forwarded(status: 503)),
      failing(
        "9111 5.2.1.4", "a request's no-cache wins over stale-if-error", window,
        request: ["Cache-Control": "no-cache"], wait: 20, CacheCase.Reply(503),
        .forwarded(status: 503)),
      failing(
        "9111 4.2.4", "without permission an error is forwarded", "max-age=10", wait: 20,
        CacheCase.Reply(503), .forwarded(status: 503)),
      failing(
        "9111 4.2.4", "without permission a disconnected cache serves nothing stale",
        "max-age=10", wait: 20, .disconnect, .failed),
      failing(
        "9111 4.2.4", "a disconnected cache may serve a stale response", "max-age=10", wait: 70,
        offline: .seconds(60), .disconnect, .stale(age: 70)),
      failing(
        "9111 4.2.4", "but not for longer than it wants", "max-age=10", wait: 71,
        offline: .seconds(60), .disconnect, .failed),
      failing(
        "9111 4.2.4", "an error is not being disconnected", "max-age=10", wait: 20,
        offline: .seconds(60), CacheCase.Reply(503), .forwarded(status: 503)),
      failing(
        "9111 5.2.2.2", "disconnected, must-revalidate is not served",
        "max-age=10, must-revalidate", wait: 20, offline: .seconds(60), .disconnect, .failed),
      failing(
        "9111 4.2.4", "disconnected, no-cache is not served", "no-cache", wait: 1,
        offline: .seconds(60), .disconnect, .failed),
      failing(
        "9111 5.2.1.1", "disconnected, a request with max-age gets nothing stale", "max-age=10",
        request: ["Cache-Control": "max-age=5"], wait: 20, offline: .seconds(60), .disconnect,
        .failed),
      CacheCase(
        "9111 4.2.4", "disconnected, what has no validator is served as well",
        maximumOfflineStaleness: .seconds(60),
        [
          .get(origin: .ok(["Cache-Control": "max-age=10"]), .forwarded),
          .wait(20),
          .get(origin: .disconnect, .stale(age: 20)),
        ]),
      CacheCase(
        "9111 4.2.4", "disconnected, another variant is not served",
        maximumOfflineStaleness: .seconds(60),
        [
          .get(
            with: ["Foo": "1"], origin: .ok(["Cache-Control": "max-age=10", "Vary": "Foo"]),
            .forwarded),
          .get(with: ["Foo": "2"], origin: .disconnect, .failed),
        ]),
      revalidating(
        "serves a stale response, and validates it", "max-age=10, stale-while-revalidate=60", 70,
        .notModified(["ETag": "\"v1\"", "Cache-Control": "max-age=10"]), .hit(age: 70)),
      CacheCase(
        "5861 3", "stale-while-revalidate updates the stored response",
        [
          .get(
            origin: .ok(["Cache-Control": "max-age=10, stale-while-revalidate=60"]), .forwarded),
          .wait(20),
          .get(origin: .ok(["Cache-Control": "max-age=10"]), .hit(age: 20)),
          .get(.hit(age: 0, body: .of(2))),
        ]),
      CacheCase(
        "5861 3", "stale-while-revalidate serves though its validation fails",
        [
          .get(
            origin: .ok(["Cache-Control": "max-age=10, stale-while-revalidate=60"]), .forwarded),
          .wait(20),
          .get(origin: .disconnect, .hit(age: 20)),
          .get(origin: .disconnect, .hit(age: 20)),
        ]),
      revalidating(
        "ends", "max-age=10, stale-while-revalidate=60", 71, .notModified(["ETag": "\"v1\""]),
        .validated),
      revalidating(
        "is not needed while it is fresh", "max-age=10, stale-while-revalidate=60", 9, nil,
        .hit(age: 9)),
      revalidating(
        "permits nothing if it is malformed", "max-age=10, stale-while-revalidate=x", 20,
        .notModified(["ETag": "\"v1\""]), .validated),
      revalidating(
        "does not override must-revalidate",
        "max-age=10, must-revalidate, stale-while-revalidate=60", 20,
        .notModified(["ETag": "\"v1\""]), .validated),
      revalidating(
        "does not override no-cache", "no-cache, stale-while-revalidate=60", 1,
        .notModified(["ETag": "\"v1\""]), .validated),
      revalidating(
        "does not override a request's max-age", "max-age=10, stale-while-revalidate=60", 20,
        request: ["Cache-Control": "max-age=30"], .notModified(["ETag": "\"v1\""]), .validated),
      revalidating(
        "does not override a request's max-stale", "max-age=10, stale-while-revalidate=60", 20,
        request: ["Cache-Control": "max-stale=5"], .notModified(["ETag": "\"v1\""]), .validated),
      revalidating(
        "validates nothing for only-if-cached", "max-age=10, stale-while-revalidate=60", 20,
        request: ["Cache-Control": "only-if-cached"], nil, .hit(age: 20)),
    ]

  private static func revalidating(
    _ name: String, _ control: String, _ wait: Double, request: CacheCase.Fields = [:],
    _ reply: CacheCase.Reply?, _ result: CacheCase.Result
  ) -> CacheCase {
    CacheCase(
      "5861 3", "stale-while-revalidate \(name)",
      [
        .get(origin: .ok(["Cache-Control": control, "ETag": "\"v1\""]), .forwarded),
        .wait(wait),
        .get(with: request, origin: reply, result),
      ])
  }
}
