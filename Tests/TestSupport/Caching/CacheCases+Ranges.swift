import Curlew

/// Range requests, and a call's cache modes.
extension CacheCases {
  private static let stored: CacheCase.Fields = [
    "Cache-Control": "max-age=60", "ETag": "\"v1\"", "Content-Length": "10", "Foo": "1",
    "Last-Modified": "Fri, 01 Jan 2027 00:00:00 GMT",
  ]

  private static func part(
    _ name: String, _ request: CacheCase.Fields, _ range: String, _ body: String,
    section: String = "9110 14.2"
  ) -> CacheCase {
    CacheCase(
      section, name,
      [
        .get(origin: .ok(stored, body: "0123456789"), .forwarded),
        .wait(10),
        .get(
          with: request,
          .hit(
            [
              "Content-Range": range, "Content-Length": "\(body.utf8.count)", "ETag": "\"v1\"",
              "Foo": "1",
            ], age: 10, status: 206, body: .text(body))),
      ])
  }

  private static func asked(
    _ name: String, _ request: CacheCase.Fields, wait: Double = 10, status: Int = 206,
    section: String = "9110 14.2"
  ) -> CacheCase {
    CacheCase(
      section, name,
      [
        .get(origin: .ok(stored, body: "0123456789"), .forwarded),
        .wait(wait),
        .get(
          with: request, origin: CacheCase.Reply(status, body: "x"), sees: request,
          seesNo: ["If-None-Match", "If-Modified-Since"], .forwarded(status: status)),
      ])
  }

  static let ranges: [CacheCase] = [
    part("the first bytes", ["Range": "bytes=0-1"], "bytes 0-1/10", "01"),
    part("bytes in the middle", ["Range": "bytes=3-5"], "bytes 3-5/10", "345"),
    part("one byte", ["Range": "bytes=9-9"], "bytes 9-9/10", "9"),
    part("bytes to the end", ["Range": "bytes=7-"], "bytes 7-9/10", "789"),
    part("the last bytes", ["Range": "bytes=-3"], "bytes 7-9/10", "789"),
    part(
      "a range that ends beyond the end", ["Range": "bytes=7-100"], "bytes 7-9/10", "789"),
    part(
      "more last bytes than there are", ["Range": "bytes=-100"], "bytes 0-9/10", "0123456789"),
    part("the unit has no case", ["Range": "Bytes=0-1"], "bytes 0-1/10", "01"),
    part(
      "If-Range with the same strong tag", ["Range": "bytes=0-1", "If-Range": "\"v1\""],
      "bytes 0-1/10", "01", section: "9110 13.1.5"),
    part(
      "If-Range with the same date",
      ["Range": "bytes=0-1", "If-Range": "Fri, 01 Jan 2027 00:00:00 GMT"], "bytes 0-1/10", "01",
      section: "9110 13.1.5"),
    asked(
      "If-Range with another tag is forwarded", ["Range": "bytes=0-1", "If-Range": "\"v2\""],
      status: 200, section: "9110 13.1.5"),
    asked(
      "If-Range with a weak tag is forwarded", ["Range": "bytes=0-1", "If-Range": "W/\"v1\""],
      status: 200, section: "9110 13.1.5"),
    asked(
      "If-Range with a later date is forwarded",
      ["Range": "bytes=0-1", "If-Range": "Sat, 02 Jan 2027 00:00:00 GMT"], status: 200,
      section: "9110 13.1.5"),
    asked("several ranges are forwarded", ["Range": "bytes=0-1,3-4"]),
    asked(
      "a range beyond the end is forwarded", ["Range": "bytes=10-"], status: 416),
    asked("no last bytes are forwarded", ["Range": "bytes=-0"], status: 416),
    asked("a backward range is forwarded", ["Range": "bytes=5-3"], status: 200),
    asked("an unknown unit is forwarded", ["Range": "rows=0-1"], status: 200),
    asked("a range without numbers is forwarded", ["Range": "bytes=-"], status: 200),
    asked("a malformed range is forwarded", ["Range": "bytes=a-b"], status: 200),
    asked("a negative range is forwarded", ["Range": "bytes=--1"], status: 200),
    asked("numbers that are too long are forwarded", ["Range": "bytes=0-99999999999999999999"]),
    asked("a stale response serves no part", ["Range": "bytes=0-1"], wait: 60),
    CacheCase(
      "9110 14.2", "a range is for GET alone",
      [
        .get(origin: .ok(stored, body: "0123456789"), .forwarded),
        .send("HEAD", with: ["Range": "bytes=0-1"], .hit(["Content-Length": "10"], status: 200)),
      ]),
    CacheCase(
      "9110 14.2", "a range is for success alone",
      [
        .get(origin: CacheCase.Reply(404, ["Cache-Control": "max-age=60"]), .forwarded),
        .get(with: ["Range": "bytes=0-1"], .hit(lacks: ["Content-Range"], status: 404)),
      ]),
    CacheCase(
      "9110 13.2.2", "conditions go before a range",
      [
        .get(origin: .ok(stored, body: "0123456789"), .forwarded),
        .get(
          with: ["Range": "bytes=0-1", "If-None-Match": "\"v1\""],
          .hit(lacks: ["Content-Range"], status: 304, body: .text(""))),
      ]),
    CacheCase(
      "9111 5.2.1.7", "only-if-cached with a range that can't be served is not sent",
      [
        .get(origin: .ok(stored, body: "0123456789"), .forwarded),
        .get(with: ["Range": "bytes=0-1,3-4", "Cache-Control": "only-if-cached"], .unavailable),
      ]),
  ]

  private static let tagged: CacheCase.Fields = [
    "Cache-Control": "max-age=10, must-revalidate", "ETag": "\"v1\"",
  ]

  static let modes: [CacheCase] = [
    CacheCase(
      "9111 4", "the freshest response is validated, though the stored response is fresh",
      [
        .get(origin: .ok(tagged), .forwarded),
        .get(
          mode: .reload, origin: .notModified(["ETag": "\"v1\""]),
          sees: ["If-None-Match": "\"v1\""], .validated),
      ]),
    CacheCase(
      "9111 4.2.4", "the freshest response is never a stale one",
      maximumOfflineStaleness: .seconds(3_600),
      [
        .get(origin: .ok(["Cache-Control": "max-age=10, stale-if-error=60"]), .forwarded),
        .wait(11),
        .get(mode: .reload, origin: .disconnect, .failed),
        .get(mode: .reload, origin: CacheCase.Reply(503), .forwarded(status: 503)),
      ]),
    CacheCase(
      "9111 6", "a stored response is preferred at any age",
      [
        .get(origin: .ok(tagged), .forwarded),
        .wait(100_000),
        .get(mode: .cacheElseLoad, .hit(age: 100_000)),
      ]),
    CacheCase(
      "9111 6", "a stored response is preferred, though it says no-cache",
      [
        .get(origin: .ok(["Cache-Control": "no-cache", "ETag": "\"v1\""]), .forwarded),
        .get(mode: .cacheElseLoad, .hit),
        .get(mode: .cacheOnly, .hit),
      ]),
    CacheCase(
      "9111 6", "a stored response is preferred, also after the clock was set back",
      [
        .get(origin: .ok(tagged), .forwarded),
        .wait(-5_000),
        .get(mode: .cacheElseLoad, .hit),
      ]),
    CacheCase(
      "9111 4", "where nothing is preferred a new response comes, and is stored",
      [
        .get(mode: .cacheElseLoad, origin: .ok(tagged), .forwarded),
        .get(mode: .cacheElseLoad, .hit),
      ]),
    CacheCase(
      "9111 4.1", "another variant is not preferred",
      [
        .get(
          with: ["Foo": "1"], origin: .ok(["Cache-Control": "max-age=60", "Vary": "Foo"]),
          .forwarded),
        .get(with: ["Foo": "2"], mode: .cacheOnly, .unavailable),
        .get(with: ["Foo": "2"], mode: .cacheElseLoad, origin: .ok(), .forwarded),
      ]),
    CacheCase(
      "9111 5.2.1.7", "a call for stored responses only sends nothing",
      [.get(mode: .cacheOnly, .unavailable), .send("POST", mode: .cacheOnly, .unavailable)]),
    CacheCase(
      "9111 6", "a call for stored responses only gets a stale response",
      [
        .get(origin: .ok(tagged), .forwarded),
        .wait(100),
        .get(mode: .cacheOnly, .hit(age: 100)),
      ]),
  ]
}
