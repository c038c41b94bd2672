/// Storable responses.
extension CacheCases {
  private static let hour: CacheCase.Fields = ["Cache-Control": "max-age=3600"]

  static let statuses: [CacheCase] =
    [
      200, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 422,
      451, 499, 500, 501, 502, 503, 504, 599,
    ].map { status in
      .reused("9111 3", "a \(status) is stored with a lifetime", hour, status: status)
    }
    + [428, 429, 431, 511].map { status in
      .notReused("6585", "a \(status) must not be stored", hour, status: status)
    }
    + [412, 416].map { status in
      .notReused(
        "9110 15.5", "a \(status) is for its own request alone", hour, status: status)
    }
    + [200, 404, 503].map { status in
      .notReused(
        "9111 4.2", "a \(status) becomes stale", hour, status: status, wait: 3_600)
    }

  private static func unstored(_ section: String, _ name: String, _ method: String) -> CacheCase {
    CacheCase(
      section, name,
      [
        .send(method, origin: .ok(hour), .forwarded),
        .get(origin: .ok(hour), .forwarded),
      ])
  }

  static let storing: [CacheCase] = [
    .notReused("9111 3", "nothing is stored that has no lifetime and no validator", [:]),
    .notReused(
      "9111 3", "public alone is no lifetime", ["Cache-Control": "public"], wait: 0),
    .validated("9111 3", "a response is stored for its tag alone", ["ETag": "\"v1\""]),
    .notReused(
      "9111 3", "a 201 is not stored for its tag alone", ["ETag": "\"v1\""], status: 201),
    .reused("9111 3", "Expires is a lifetime", ["Expires": "{date+60}"], status: 201),
    unstored("9111 3", "a response to POST is not stored", "POST"),
    unstored("9111 3", "a response to PUT is not stored", "PUT"),
    unstored("9111 3", "a response to HEAD is not stored for GET", "HEAD"),
    unstored("9111 3", "a response to OPTIONS is not stored", "OPTIONS"),
    unstored("9111 3", "a response to an unknown method is not stored", "LINK"),
    CacheCase(
      "9111 4", "POST is not served from the cache",
      [
        .get(origin: .ok(hour), .forwarded),
        .send("POST", origin: .ok(), .forwarded),
      ]),
    CacheCase(
      "9111 4", "OPTIONS is not served from the cache",
      [
        .get(origin: .ok(hour), .forwarded),
        .send("OPTIONS", origin: .ok(), .forwarded),
        .get(.hit),
      ]),
    CacheCase(
      "9111 3.5", "Authorization does not keep a private cache from storing",
      [
        .get(
          with: ["Authorization": "Bearer a"], account: "anna", origin: .ok(hour), .forwarded),
        .get(with: ["Authorization": "Bearer a"], account: "anna", .hit),
      ]),
    CacheCase(
      "9111 7.3", "Cookie and Set-Cookie do not keep a response from being reused",
      [
        .get(
          with: ["Cookie": "a=b"],
          origin: .ok(["Cache-Control": "max-age=60", "Set-Cookie": "c=d"]), .forwarded),
        .get(with: ["Cookie": "a=b"], .hit(["Set-Cookie": "c=d"])),
      ]),
    CacheCase(
      "9111 3.3", "a response that was cut off is not stored",
      [
        .get(origin: .disconnect, .failed),
        .get(origin: .ok(hour), .forwarded),
        .get(.hit(body: .of(2))),
      ]),
    CacheCase(
      "9111 3.3", "a part is not stored",
      [
        .get(
          with: ["Range": "bytes=0-2"],
          origin: CacheCase.Reply(
            206, ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-2/6"], body: "bod"),
          .forwarded(status: 206)),
        .get(origin: .ok(hour), .forwarded),
        .get(.hit(body: .of(2))),
      ]),
    CacheCase(
      "9111 3.4", "a part does not change the stored response",
      [
        .get(origin: .ok(["Cache-Control": "max-age=5", "ETag": "\"v1\""]), .forwarded),
        .wait(5),
        .get(
          with: ["Range": "bytes=0-2"],
          origin: CacheCase.Reply(
            206,
            ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-2/6", "ETag": "\"v2\""],
            body: "bod"), .forwarded(status: 206)),
        .get(
          origin: .notModified(["ETag": "\"v1\""]), sees: ["If-None-Match": "\"v1\""],
          .validated),
      ]),
    CacheCase(
      "9110 14.2", "a 200 to a request for a part is stored",
      [
        .get(with: ["Range": "bytes=0-2"], origin: .ok(hour), .forwarded(status: 200)),
        .get(.hit),
      ]),
  ]

  private static let kept = [
    "Test-Header", "X-Test-Header", "Content-Foo", "Content-Encoding", "Content-Location",
    "Content-MD5", "Content-Security-Policy", "Content-Type", "Clear-Site-Data", "ETag",
    "Set-Cookie", "X-Frame-Options", "Link", "Server", "Via", "Warning",
  ]
  private static let dropped = [
    "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
    "Proxy-Connection", "TE", "Upgrade",
  ]

  static let fields: [CacheCase] =
    kept.map { name in
      CacheCase(
        "9111 3.1", "\(name) is stored",
        [
          .get(
            // A client may reject a coding that it did not request.
            with: ["Accept-Encoding": "*"],
            origin: .ok(
              CacheCase.Fields(lines: [
                .init(name: "Cache-Control", value: "max-age=60"),
                .init(name: name, value: "\"v1\""),
              ])), .forwarded),
          .get(.hit(CacheCase.Fields(lines: [.init(name: name, value: "\"v1\"")]))),
        ])
    }
    + dropped.map { name in
      CacheCase(
        "9111 3.1", "\(name) is not stored",
        [
          .get(
            origin: .ok(
              CacheCase.Fields(lines: [
                .init(name: "Cache-Control", value: "max-age=60"), .init(name: name, value: "x"),
              ])), .forwarded),
          .get(.hit(lacks: [name])),
        ])
    } + [
      CacheCase(
        "9111 3.1", "Connection and the fields that it lists are not stored",
        [
          .get(
            origin: .ok([
              "Cache-Control": "max-age=60", "Connection": "a, B", "connection": "C",
              "A": "1", "b": "2", "C": "3", "D": "4",
            ]), .forwarded),
          .get(.hit(["D": "4"], lacks: ["Connection", "A", "B", "C"])),
        ]),
      CacheCase(
        "9111 3.1", "several lines are stored in their order",
        [
          .get(
            origin: .ok(["Cache-Control": "max-age=60", "Foo": "2", "foo": "1"]), .forwarded),
          .get(.hit(["Foo": "2, 1"])),
        ]),
    ]
}
