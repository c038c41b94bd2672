/// The age of responses, skewed clocks, and heuristics.
extension CacheCases {
  private static let old: [(name: String, fields: CacheCase.Fields)] = [
    ("above the lifetime", ["Cache-Control": "max-age=3600", "Age": "7200"]),
    ("equal to the lifetime", ["Cache-Control": "max-age=3600", "Age": "3600"]),
    ("of 2^31 - 1", ["Cache-Control": "max-age=3600", "Age": "2147483647"]),
    ("of 2^31", ["Cache-Control": "max-age=3600", "Age": "2147483648"]),
    ("beyond 64 bits", ["Cache-Control": "max-age=3600", "Age": "99999999999999999999999"]),
    ("that is the first of a list", ["Cache-Control": "max-age=3600", "Age": "7200, 0"]),
    (
      "that is the first of two lines",
      ["Cache-Control": "max-age=3600", "Age": "7200", "age": "0"]
    ),
    (
      "above Expires minus a slow Date",
      ["Expires": "{date+10}", "Date": "{date-10}", "Age": "25"]
    ),
    (
      "above Expires minus a fast Date",
      ["Expires": "{date+20}", "Date": "{date+10}", "Age": "15"]
    ),
  ]

  private static let young: [(name: String, fields: CacheCase.Fields)] = [
    ("a text", ["Cache-Control": "max-age=3600", "Age": "abc"]),
    ("negative", ["Cache-Control": "max-age=3600", "Age": "-7200"]),
    ("a fraction", ["Cache-Control": "max-age=3600", "Age": "7200.0"]),
    ("empty", ["Cache-Control": "max-age=3600", "Age": ""]),
    ("with a parameter", ["Cache-Control": "max-age=3600", "Age": "7200;a=b"]),
    ("first zero in a list", ["Cache-Control": "max-age=3600", "Age": "0, 7200"]),
    ("first zero in two lines", ["Cache-Control": "max-age=3600", "Age": "0", "age": "7200"]),
    ("zero twice", ["Cache-Control": "max-age=3600", "Age": "0, 0"]),
    ("a text and a number", ["Cache-Control": "max-age=3600", "Age": "abc, 7200"]),
  ]

  static let age: [CacheCase] =
    old.map { name, fields in .notReused("9111 4.2.3", "stale with an Age \(name)", fields) }
    + young.map { name, fields in
      .reused("9111 5.1", "fresh with an Age that is \(name)", fields)
    } + [
      aged(
        "an Age is added to the time in the cache",
        ["Cache-Control": "max-age=3600", "Age": "100"], 30, age: 130),
      aged(
        "a Date in the past is an age", ["Cache-Control": "max-age=3600", "Date": "{date-50}"],
        10, age: 60),
      aged(
        "the greater of both ages counts",
        ["Cache-Control": "max-age=3600", "Date": "{date-50}", "Age": "20"], 10, age: 60),
      aged(
        "a server's fast clock makes nothing younger",
        ["Cache-Control": "max-age=3600", "Date": "{date+500}"], 10, age: 10),
      .notReused(
        "9111 4.2.3", "a Date older than the lifetime is stale",
        ["Cache-Control": "max-age=60", "Date": "{date-61}"]),
      .notReused(
        "9111 4.2.3", "a Date in the future prolongs no lifetime",
        ["Cache-Control": "max-age=60", "Date": "{date+3600}"], wait: 60),
      delayed("the time of the request's way is age", delay: 30, wait: 10, age: 40),
      CacheCase(
        "9111 4.2.3", "a response that took its lifetime to arrive is stale",
        [
          .get(
            origin: CacheCase.Reply(200, ["Cache-Control": "max-age=20", "Age": "0"], delay: 20),
            .forwarded),
          .get(origin: .ok(), .forwarded),
        ]),
      .notReused(
        "9111 4.2.3", "a clock that was set back makes nothing fresh for longer",
        ["Cache-Control": "max-age=3600"], wait: -1_800),
      .notReused(
        "9111 4.2.3", "nor by years", ["Cache-Control": "max-age=60"], wait: -100_000_000),
      CacheCase(
        "9111 4.2.3", "after a clock was set back and corrected the age is right again",
        [
          .get(origin: .ok(["Cache-Control": "max-age=3600"]), .forwarded),
          .wait(-100),
          .wait(110),
          .get(.hit(age: 10)),
        ]),
      .reused(
        "9111 4.2.3", "a clock's small correction is not a clock that was set back",
        ["Cache-Control": "max-age=3600"], wait: -0.5),
      CacheCase(
        "9111 4", "a hit has an Age, also at once",
        [
          .get(origin: .ok(["Cache-Control": "max-age=60"]), .forwarded(lacks: ["Age"])),
          .get(.hit(age: 0)),
        ]),
      CacheCase(
        "9111 4", "a hit's Age replaces the stored Age in all its lines",
        [
          .get(
            origin: .ok(["Cache-Control": "max-age=60", "Age": "5", "age": "6"]), .forwarded),
          .wait(7),
          .get(.hit(["Age": "12"])),
        ]),
      CacheCase(
        "9110 6.6.1", "a hit has the origin's Date",
        [
          .get(
            origin: .ok(["Cache-Control": "max-age=60", "Date": "Fri, 15 Jan 2027 07:59:59 GMT"]),
            .forwarded),
          .wait(5),
          .get(.hit(["Date": "Fri, 15 Jan 2027 07:59:59 GMT"])),
        ]),
    ]

  private static func aged(
    _ name: String, _ fields: CacheCase.Fields, _ wait: Double, age: Int
  ) -> CacheCase {
    CacheCase(
      "9111 4.2.3", name,
      [.get(origin: .ok(fields), .forwarded), .wait(wait), .get(.hit(age: age))])
  }

  private static func delayed(_ name: String, delay: Double, wait: Double, age: Int) -> CacheCase {
    CacheCase(
      "9111 4.2.3", name,
      [
        .get(
          origin: CacheCase.Reply(200, ["Cache-Control": "max-age=3600"], delay: delay),
          .forwarded),
        .wait(wait), .get(.hit(age: age)),
      ])
  }
}
