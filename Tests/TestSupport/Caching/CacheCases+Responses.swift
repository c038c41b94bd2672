import Curlew

/// Directives of responses, and stale responses that may be served.
extension CacheCases {
  static let responseDirectives: [CacheCase] = [
    .notReused("9111 5.2.2.5", "no-store is not stored", ["Cache-Control": "no-store"]),
    .notReused(
      "9111 5.2.2.5", "no-store has no case", ["Cache-Control": "max-age=60, nO-StOrE"]),
    .notReused(
      "9111 5.2.2.5", "no-store wins over lifetimes",
      ["Cache-Control": "max-age=60, no-store", "Expires": "{date+60}"]),
    .notReused(
      "9111 4.2.1", "no-store restricts also with an argument",
      ["Cache-Control": "max-age=60, no-store=\"x\""]),
    CacheCase(
      "9111 5.2.2.5", "no-store is not stored with a validator either",
      [
        .get(origin: .ok(["Cache-Control": "no-store", "ETag": "\"v1\""]), .forwarded),
        .get(origin: .ok(), seesNo: ["If-None-Match"], .forwarded),
      ]),
    .notReused(
      "9111 5.2.2.4", "no-cache is not reused without validation",
      ["Cache-Control": "no-cache, max-age=3600", "Expires": "{date+3600}"]),
    .notReused(
      "9111 5.2.2.4", "no-cache has no case", ["Cache-Control": "No-CaChE, max-age=3600"]),
    .validated(
      "9111 5.2.2.4", "no-cache is stored and validated",
      ["Cache-Control": "no-cache", "ETag": "\"v1\""]),
    .validated(
      "9111 5.2.2.4", "no-cache is validated though it is fresh",
      ["Cache-Control": "max-age=3600, no-cache", "ETag": "\"v1\""]),
    .validated(
      "9111 5.2.2.4", "an empty list of fields is none: no-cache is for the response",
      ["Cache-Control": "max-age=3600, no-cache=\"\"", "ETag": "\"v1\""]),
    .validated(
      "9111 4.2.1", "of two no-cache the one without fields counts",
      ["Cache-Control": "no-cache=\"foo\", max-age=3600, no-cache", "ETag": "\"v1\""]),
    CacheCase(
      "9111 5.2.2.4", "fields that no-cache names are not reused without validation",
      [
        .get(
          origin: .ok([
            "Cache-Control": "max-age=60, no-cache=\"foo, Bar\"", "Foo": "1", "bar": "2",
            "Baz": "3",
          ]), .forwarded(["Foo": "1"])),
        .get(.hit(["Baz": "3"], lacks: ["Foo", "Bar"])),
      ]),
    CacheCase(
      "9111 5.2.2.4", "fields that no-cache names are reused after validation",
      [
        .get(
          origin: .ok([
            "Cache-Control": "max-age=60, no-cache=foo", "Foo": "1", "ETag": "\"v1\"",
          ]), .forwarded),
        .wait(60),
        .get(origin: .notModified(["ETag": "\"v1\""]), .validated(["Foo": "1"])),
      ]),
    .reused(
      "9111 5.2.2.7", "private is for a private cache", ["Cache-Control": "private, max-age=60"]),
    CacheCase(
      "9111 5.2.2.7", "fields that private names are for a private cache",
      [
        .get(
          origin: .ok(["Cache-Control": "max-age=60, private=\"foo\"", "Foo": "1"]), .forwarded),
        .get(.hit(["Foo": "1"])),
      ]),
    .reused("9111 5.2.2.9", "public", ["Cache-Control": "public, max-age=60"]),
    .reused(
      "9111 5.2.2.6", "no-transform is not about storing",
      ["Cache-Control": "no-transform, max-age=60"]),
    .reused(
      "9111 5.2.2.2", "must-revalidate may be reused while it is fresh",
      ["Cache-Control": "max-age=60, must-revalidate"], wait: 59),
    .notReused(
      "9111 5.2.2.2", "must-revalidate must not be reused when it is stale",
      ["Cache-Control": "max-age=60, must-revalidate"], wait: 60),
    .validated(
      "9111 5.2.2.2", "must-revalidate is validated when it is stale",
      ["Cache-Control": "max-age=60, must-revalidate", "ETag": "\"v1\""], wait: 60),
    .reused(
      "9111 5.2.2.3", "must-understand overrides no-store for a known status",
      ["Cache-Control": "no-store, must-understand, max-age=60"]),
    .notReused(
      "9111 5.2.2.3", "must-understand forbids to store an unknown status",
      ["Cache-Control": "no-store, must-understand, max-age=60"], status: 599),
    .notReused(
      "9111 5.2.2.3", "must-understand forbids it also without no-store",
      ["Cache-Control": "must-understand, max-age=60"], status: 299),
    .reused(
      "9111 3", "an unknown status is stored without must-understand",
      ["Cache-Control": "max-age=60"], status: 599),
    .reused("8246 2", "immutable is fresh", ["Cache-Control": "max-age=60, immutable"]),
    .notReused(
      "8246 2", "immutable ends with the lifetime", ["Cache-Control": "max-age=60, immutable"],
      wait: 60),
    .notReused(
      "8246 2", "immutable is no lifetime", ["Cache-Control": "immutable", "ETag": "\"v1\""]),
    CacheCase(
      "8246 2", "a reload does not validate an immutable and fresh response",
      [
        .get(
          origin: .ok(["Cache-Control": "max-age=60, immutable", "ETag": "\"v1\""]), .forwarded),
        .get(mode: .reload, .hit),
        .wait(60),
        .get(mode: .reload, origin: .notModified(["ETag": "\"v1\""]), .validated),
      ]),
    CacheCase(
      "8246 2", "a forced reload validates an immutable response",
      [
        .get(
          origin: .ok(["Cache-Control": "max-age=60, immutable", "ETag": "\"v1\""]), .forwarded),
        .get(
          with: ["Cache-Control": "no-cache"], mode: .reload,
          origin: .notModified(["ETag": "\"v1\""]), .validated),
      ]),
    CacheCase(
      "9111 5.2.2.5", "a 304 with no-store ends the reuse",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(5),
        .get(
          origin: .notModified(["Cache-Control": "no-store, max-age=60", "ETag": "\"v1\""]),
          .validated),
        .get(origin: .ok(), .forwarded),
      ]),
  ]
}
