/// Directives of requests.
extension CacheCases {
  private static let hour: CacheCase.Fields = ["Cache-Control": "max-age=3600"]
  private static let tagged: CacheCase.Fields = [
    "Cache-Control": "max-age=3600", "ETag": "\"v1\"",
  ]

  static let requestDirectives: [CacheCase] = [
    .notReused(
      "9111 5.2.1.4", "no-cache reaches the origin", hour, request: ["Cache-Control": "no-cache"]),
    .validated(
      "9111 5.2.1.4", "no-cache validates", tagged, request: ["Cache-Control": "no-cache"]),
    .notReused(
      "9111 5.2.1.4", "no-cache has no case", hour, request: ["Cache-Control": "No-Cache"]),
    .notReused(
      "9111 5.2.1.1", "max-age=0 reaches the origin, also at once", hour,
      request: ["Cache-Control": "max-age=0"], wait: 0),
    .validated(
      "9111 5.2.1.1", "max-age=0 validates", tagged, request: ["Cache-Control": "max-age=0"]),
    .reused(
      "9111 5.2.1.1", "max-age accepts a response of that age", hour,
      request: ["Cache-Control": "max-age=10"], wait: 10),
    .notReused(
      "9111 5.2.1.1", "max-age accepts nothing older", hour,
      request: ["Cache-Control": "max-age=10"], wait: 11),
    .notReused(
      "9111 5.2.1.1", "max-age counts the Age of the response",
      ["Cache-Control": "max-age=3600", "Age": "100"], request: ["Cache-Control": "max-age=60"]),
    .notReused(
      "9111 5.2.1.1", "max-age does not make a stale response fresh",
      ["Cache-Control": "max-age=5"], request: ["Cache-Control": "max-age=3600"], wait: 6),
    .notReused(
      "9111 4.2.1", "a malformed max-age accepts nothing", hour,
      request: ["Cache-Control": "max-age=x"]),
    .notReused(
      "9111 4.2.1", "of two the shorter counts", hour,
      request: ["Cache-Control": "max-age=60, max-age=5"], wait: 6),
    .reused(
      "9111 5.2.1.3", "min-fresh accepts what stays fresh for as long", hour,
      request: ["Cache-Control": "min-fresh=600"], wait: 3_000),
    .notReused(
      "9111 5.2.1.3", "min-fresh refuses what does not", hour,
      request: ["Cache-Control": "min-fresh=601"], wait: 3_000),
    .notReused(
      "9111 5.2.1.3", "min-fresh counts the Age of the response",
      ["Cache-Control": "max-age=3600", "Age": "3000"],
      request: ["Cache-Control": "min-fresh=1000"]),
    .notReused(
      "9111 5.2.1.3", "a malformed min-fresh accepts nothing", hour,
      request: ["Cache-Control": "min-fresh=x"]),
    .notReused(
      "9111 5.2.1.3", "min-fresh refuses stale responses, also with max-stale",
      ["Cache-Control": "max-age=5"],
      request: ["Cache-Control": "min-fresh=0, max-stale"], wait: 6),
    .reused(
      "9111 5.2.1.2", "max-stale accepts any staleness", ["Cache-Control": "max-age=5"],
      request: ["Cache-Control": "max-stale"], wait: 100_000),
    .reused(
      "9111 5.2.1.2", "max-stale accepts that staleness", ["Cache-Control": "max-age=5"],
      request: ["Cache-Control": "max-stale=10"], wait: 15),
    .notReused(
      "9111 5.2.1.2", "max-stale accepts no more", ["Cache-Control": "max-age=5"],
      request: ["Cache-Control": "max-stale=10"], wait: 16),
    .notReused(
      "9111 5.2.1.2", "a malformed max-stale accepts nothing", ["Cache-Control": "max-age=5"],
      request: ["Cache-Control": "max-stale=x"], wait: 6),
    .reused(
      "9111 5.2.1.2", "max-stale counts the Age of the response",
      ["Cache-Control": "max-age=1500", "Age": "2000"],
      request: ["Cache-Control": "max-stale=1000"], wait: 2),
    .notReused(
      "9111 5.2.2.2", "must-revalidate wins over max-stale",
      ["Cache-Control": "max-age=5, must-revalidate"],
      request: ["Cache-Control": "max-stale"], wait: 6),
    .notReused(
      "9111 5.2.2.4", "a response's no-cache wins over max-stale",
      ["Cache-Control": "max-age=5, no-cache"],
      request: ["Cache-Control": "max-stale"], wait: 6),
    .notReused(
      "9111 5.2.1.1", "max-age limits what max-stale accepts",
      ["Cache-Control": "max-age=5"],
      request: ["Cache-Control": "max-stale=60, max-age=10"], wait: 11),
    .reused(
      "9111 5.2.1.1", "max-stale with max-age accepts a stale response",
      ["Cache-Control": "max-age=5"],
      request: ["Cache-Control": "max-stale=60, max-age=10"], wait: 10),
    .reused(
      "9111 5.2.1.6", "no-transform is ignored", hour,
      request: ["Cache-Control": "no-transform"]),
    .reused(
      "9111 5.2.3", "unknown directives are ignored in requests", hour,
      request: ["Cache-Control": "foo=\"no-cache, max-age=0\", bar"]),
    .reused(
      "9111 5.2.1.5", "no-store may be served by a stored response", hour,
      request: ["Cache-Control": "no-store"]),
    CacheCase(
      "9111 5.2.1.5", "no-store stores nothing",
      [
        .get(with: ["Cache-Control": "no-store"], origin: .ok(hour), .forwarded),
        .get(origin: .ok(hour), .forwarded),
      ]),
    CacheCase(
      "9111 5.2.1.5", "no-store has its response stored by no 304 either",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(6),
        .get(
          with: ["Cache-Control": "no-store"], origin: .ok(), seesNo: ["If-None-Match"],
          .forwarded),
      ]),
    .reused(
      "9111 5.2.1.7", "only-if-cached is served by a fresh response", hour,
      request: ["Cache-Control": "only-if-cached"]),
    CacheCase(
      "9111 5.2.1.7", "only-if-cached is not sent if nothing is stored",
      [.get(with: ["Cache-Control": "only-if-cached"], .unavailable)]),
    CacheCase(
      "9111 5.2.1.7", "only-if-cached is not sent if the stored response is stale",
      [
        .get(origin: .ok(tagged), .forwarded),
        .wait(3_600),
        .get(with: ["Cache-Control": "only-if-cached"], .unavailable),
      ]),
    CacheCase(
      "9111 5.2.1.7", "only-if-cached follows the other directives",
      [
        .get(origin: .ok(hour), .forwarded),
        .wait(10),
        .get(with: ["Cache-Control": "only-if-cached, max-age=5"], .unavailable),
        .get(with: ["Cache-Control": "only-if-cached, max-age=10"], .hit),
      ]),
    CacheCase(
      "9111 5.2.1.7", "only-if-cached with max-stale is served by a stale response",
      [
        .get(origin: .ok(hour), .forwarded),
        .wait(4_000),
        .get(with: ["Cache-Control": "only-if-cached, max-stale"], .hit(age: 4_000)),
      ]),
    CacheCase(
      "9111 5.2.1.7", "only-if-cached is not sent for another variant",
      [
        .get(
          with: ["Foo": "1"], origin: .ok(["Cache-Control": "max-age=60", "Vary": "Foo"]),
          .forwarded),
        .get(with: ["Foo": "2", "Cache-Control": "only-if-cached"], .unavailable),
      ]),
    .notReused(
      "9111 5.4", "Pragma asks for validation", hour, request: ["Pragma": "no-cache"]),
    .validated("9111 5.4", "Pragma validates", tagged, request: ["Pragma": "foo, No-Cache"]),
    .reused(
      "9111 5.4", "Pragma is ignored with Cache-Control", hour,
      request: ["Pragma": "no-cache", "Cache-Control": "max-age=60"]),
    .reused("9111 5.4", "an unknown Pragma is ignored", hour, request: ["Pragma": "foo"]),
    .reused(
      "9111 5.4", "Pragma in a response means nothing",
      ["Cache-Control": "max-age=3600", "Pragma": "no-cache"]),
  ]
}
