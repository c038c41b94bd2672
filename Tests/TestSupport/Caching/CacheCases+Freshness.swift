/// Lifetimes from `max-age`, and how directives are read.
extension CacheCases {
  static let freshness: [CacheCase] = [
    .reused(
      "9111 4.2", "fresh while the age is below the lifetime", ["Cache-Control": "max-age=60"],
      wait: 59),
    .notReused(
      "9111 4.2", "stale when the age equals the lifetime", ["Cache-Control": "max-age=60"],
      wait: 60),
    .notReused("9111 4.2", "stale later", ["Cache-Control": "max-age=60"], wait: 3_600),
    .notReused("9111 5.2.2.1", "max-age=0 is never fresh", ["Cache-Control": "max-age=0"], wait: 0),
    .reused(
      "9111 4.2.1", "max-age wins over an Expires in the past",
      ["Cache-Control": "max-age=60", "Expires": "{date-60}"]),
    .reused(
      "9111 4.2.1", "max-age wins over an invalid Expires",
      ["Cache-Control": "max-age=60", "Expires": "0"]),
    .notReused(
      "9111 4.2.1", "max-age=0 wins over a future Expires",
      ["Cache-Control": "max-age=0", "Expires": "{date+3600}"]),
    .notReused(
      "9111 4.2.1", "a short max-age wins over a later Expires",
      ["Cache-Control": "max-age=5", "Expires": "{date+3600}"], wait: 5),
    .notReused(
      "9111 5.2.2.10", "s-maxage does not make a private cache's response fresh",
      ["Cache-Control": "s-maxage=3600"]),
    .notReused(
      "9111 5.2.2.10", "a longer s-maxage is ignored",
      ["Cache-Control": "max-age=5, s-maxage=3600"], wait: 6),
    .reused(
      "9111 5.2.2.10", "a shorter s-maxage is ignored",
      ["Cache-Control": "s-maxage=1, max-age=60"], wait: 30),
    .reused(
      "9111 5.2.2.10", "a longer s-maxage in another line is ignored, a max-age used",
      ["Cache-Control": "max-age=60", "cache-control": "s-maxage=1"], wait: 30),
    .reused(
      "9111 5.2.2.8", "proxy-revalidate is for shared caches",
      ["Cache-Control": "max-age=60, proxy-revalidate"]),
    .reused(
      "9111 1.2.2", "a lifetime of 2^31 - 1 seconds", ["Cache-Control": "max-age=2147483647"],
      wait: 100_000),
    .reused(
      "9111 1.2.2", "a lifetime of 2^31 seconds", ["Cache-Control": "max-age=2147483648"]),
    .reused(
      "9111 1.2.2", "a greater lifetime counts as 2^31 seconds",
      ["Cache-Control": "max-age=99999999999"]),
    .reused(
      "9111 1.2.2", "a lifetime that overflows 64 bits counts as 2^31 seconds",
      ["Cache-Control": "max-age=999999999999999999999999999"]),
    .notReused(
      "9111 1.2.2", "a clamped lifetime ends", ["Cache-Control": "max-age=99999999999"],
      wait: 2_147_483_648),
    .reused(
      "9111 5.2", "names of directives have no case", ["Cache-Control": "mAX-aGE=60"]),
    .reused(
      "9111 5.2", "a number may be quoted", ["Cache-Control": "max-age=\"60\""]),
    .notReused(
      "9111 5.2", "a quoted number ends as well", ["Cache-Control": "max-age=\"60\""], wait: 60),
    .reused(
      "9111 1.2.2", "leading zeros are part of a number", ["Cache-Control": "max-age=0060"],
      wait: 50),
    .reused(
      "9111 5.2.3", "unknown directives are ignored",
      ["Cache-Control": "foo, max-age=60, bar=2"]),
    .reused(
      "9111 5.2.3", "unknown directives with quoted commas are ignored",
      ["Cache-Control": "foo=\"a, b\", max-age=60"]),
    .notReused(
      "9111 5.2.3", "a directive within a quoted argument is none, before the real one",
      ["Cache-Control": "foo=\"max-age=3600\", max-age=1"], wait: 2),
    .notReused(
      "9111 5.2.3", "a directive within a quoted argument is none, after the real one",
      ["Cache-Control": "max-age=1, foo=\"x, max-age=3600\""], wait: 2),
    .reused(
      "9111 5.2.3", "no-store within a quoted argument is none",
      ["Cache-Control": "foo=\"no-store, no-cache\", max-age=60"]),
    .reused(
      "9110 5.6.4", "an escaped quote does not end a quoted argument",
      ["Cache-Control": #"foo="a\", no-store, ", max-age=60"#]),
    .reused(
      "9110 5.6.1", "empty members of the list are ignored",
      ["Cache-Control": ", ,max-age=60,,"]),
    .reused(
      "9110 5.3", "several lines are one list",
      ["Cache-Control": "public", "cache-control": "max-age=60"]),
    .notReused(
      "9110 5.3", "a restriction in a later line counts",
      ["Cache-Control": "max-age=60", "cache-control": "no-store"]),
  ]

  private static let malformed: [(name: String, value: String)] = [
    ("is not a number", "max-age=abc"), ("is negative", "max-age=-3600"),
    ("has a sign", "max-age=+3600"), ("is a fraction", "max-age=3600.0"),
    ("has a letter after it", "max-age=100a"), ("has a letter before it", "max-age=a100"),
    ("is in single quotes", "max-age='3600'"), ("is missing", "max-age"),
    ("is empty", "max-age="), ("is an empty quoted string", "max-age=\"\""),
    ("has a space before the equals sign", "max-age =3600"),
    ("has a space after the equals sign", "max-age= 3600"),
    ("is two words", "max-age=3600 3600"), ("is separated by a colon", "max-age:3600"),
    ("is quoted with a space", "max-age=\" 60\""), ("is hexadecimal", "max-age=0x3600"),
  ]

  private static let doubled: [(name: String, fields: CacheCase.Fields)] = [
    ("a shorter lifetime after it", ["Cache-Control": "max-age=3600, max-age=10"]),
    ("a shorter lifetime before it", ["Cache-Control": "max-age=10, max-age=3600"]),
    (
      "a shorter lifetime in a later line",
      ["Cache-Control": "max-age=3600", "cache-control": "max-age=10"]
    ),
    (
      "a shorter lifetime in an earlier line",
      ["Cache-Control": "max-age=10", "cache-control": "max-age=3600"]
    ),
    ("an invalid lifetime after it", ["Cache-Control": "max-age=3600, max-age=x"]),
    ("an invalid lifetime before it", ["Cache-Control": "max-age=x, max-age=3600"]),
  ]

  static let lists: [CacheCase] =
    malformed.map { name, value in
      .notReused(
        "9111 4.2.1", "a response is stale if its max-age \(name)", ["Cache-Control": value])
    }
    + doubled.map { name, fields in
      .notReused(
        "9111 4.2.1", "of two lifetimes the shorter counts: \(name)", fields, wait: 20)
    }
}
