/// `Expires`, and invalid dates.
extension CacheCases {
  private static let valid: [(name: String, value: String)] = [
    ("the preferred form", "{date+60}"), ("the form of RFC 850", "{rfc850+60}"),
    ("asctime's form", "{asctime+60}"),
    ("lowercase names", "fri, 15 jan 2038 08:00:00 gmt"),
    ("uppercase names", "FRI, 15 JAN 2038 08:00:00 GMT"),
    ("a date after 2038", "Mon, 18 Jan 2038 03:14:08 GMT"),
    ("a date far away", "Sun, 21 Nov 2286 04:46:39 GMT"),
    ("the last date", "Fri, 31 Dec 9999 23:59:59 GMT"),
    ("asctime's form with a day of two digits", "Fri Jan 15 08:00:00 2038"),
  ]

  private static let invalid: [(name: String, value: String)] = [
    ("0", "0"), ("-1", "-1"), ("an empty text", ""), ("a number of seconds", "3600"),
    ("UTC", "Fri, 15 Jan 2038 08:00:00 UTC"), ("another zone", "Fri, 15 Jan 2038 08:00:00 CET"),
    ("an offset", "Fri, 15 Jan 2038 08:00:00 +0000"),
    ("no zone", "Fri, 15 Jan 2038 08:00:00"),
    ("a year of two digits", "Fri, 15 Jan 38 08:00:00 GMT"),
    ("no comma", "Fri 15 Jan 2038 08:00:00 GMT"),
    ("two spaces", "Fri, 15  Jan 2038 08:00:00 GMT"),
    ("two spaces after the comma", "Fri,  15 Jan 2038 08:00:00 GMT"),
    ("no space after the comma", "Fri,15 Jan 2038 08:00:00 GMT"),
    ("dashes in a short day's date", "Fri, 15-Jan-2038 08:00:00 GMT"),
    ("a long day in the preferred form", "Friday, 15 Jan 2038 08:00:00 GMT"),
    ("periods in the time", "Fri, 15 Jan 2038 08.00.00 GMT"),
    ("an hour of one digit", "Fri, 15 Jan 2038 8:00:00 GMT"),
    ("a day of one digit", "Fri, 1 Jan 2038 08:00:00 GMT"),
    ("no seconds", "Fri, 15 Jan 2038 08:00 GMT"),
    ("an impossible hour", "Fri, 15 Jan 2038 24:00:00 GMT"),
    ("an impossible day", "Fri, 32 Jan 2038 08:00:00 GMT"),
    ("29 February of a common year", "Mon, 29 Feb 2038 08:00:00 GMT"),
    ("an unknown month", "Fri, 15 Foo 2038 08:00:00 GMT"),
    ("an unknown day", "Foo, 15 Jan 2038 08:00:00 GMT"),
    ("a long month", "Fri, 15 January 2038 08:00:00 GMT"),
    ("ISO 8601", "2038-01-15T08:00:00Z"),
    ("text after it", "Fri, 15 Jan 2038 08:00:00 GMT; x"),
    ("quotes", "\"Fri, 15 Jan 2038 08:00:00 GMT\""),
    ("asctime's form with one space", "Fri Jan 1 08:00:00 2038"),
    ("asctime's form with a zone", "Fri Jan 15 08:00:00 2038 GMT"),
    ("RFC 850 with four digits", "Friday, 15-Jan-2038 08:00:00 GMT"),
  ]

  static let expires: [CacheCase] =
    valid.map { name, value in
      .reused("9110 5.6.7", "a date is valid in \(name)", ["Expires": value], wait: 30)
    }
    + invalid.map { name, value in
      .notReused(
        "9111 5.3", "a response has expired with \(name) as its date", ["Expires": value])
    } + [
      .notReused("9111 5.3", "a past Expires has expired", ["Expires": "{date-1}"], wait: 0),
      .notReused("9111 5.3", "a present Expires has expired", ["Expires": "{date}"], wait: 0),
      .notReused("9111 4.2.1", "Expires ends", ["Expires": "{date+60}"], wait: 60),
      .notReused(
        "9111 4.2.1", "the lifetime is Expires minus Date, not minus now",
        ["Expires": "{date+60}", "Date": "{date+50}"], wait: 10),
      .notReused(
        "9111 4.2.1", "an Expires before a fast Date has expired",
        ["Expires": "{date+300}", "Date": "{date+400}"], wait: 0),
      .reused(
        "9110 6.6.1", "the time of arrival replaces an invalid Date",
        ["Expires": "{date+60}", "Date": "foo"], wait: 59),
      .reused(
        "9110 6.6.1", "the time of arrival replaces a missing Date", ["Expires": "{date+60}"],
        wait: 59, hasDate: false),
      .notReused(
        "9110 6.6.1", "a response without Date ages", ["Expires": "{date+60}"], wait: 60,
        hasDate: false),
      .notReused(
        "9111 4.2.1", "several lines are invalid",
        ["Expires": "{date+60}", "expires": "{date+70}"]),
      .notReused(
        "9111 4.2.1", "several lines that a transport joined are invalid",
        ["Expires": "{date+60}, {date+60}"]),
      .notReused(
        "9111 4.2.2", "no heuristics where Expires is invalid",
        ["Expires": "0", "Last-Modified": "{date-864000}"]),
      .notReused(
        "9110 5.6.7", "a year of two digits is at most 50 years ahead",
        ["Expires": "Friday, 15-Jan-99 08:00:00 GMT"]),
      CacheCase(
        "9111 5.3", "Expires is served as it was stored",
        [
          .get(origin: .ok(["Expires": "Fri, 15 Jan 2038 08:00:00 GMT"]), .forwarded),
          .wait(10),
          .get(.hit(["Expires": "Fri, 15 Jan 2038 08:00:00 GMT"], age: 10)),
        ]),
    ]
}
