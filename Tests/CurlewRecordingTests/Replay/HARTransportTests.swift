import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HARTransportTests {
  /// Returns a client of a recording whose entries respond with 1, 2, 3, ...
  private func client(
    _ mode: HARTransport.Mode, _ requests: String...
  ) -> Client {
    client(mode, entries: requests)
  }

  private func client(_ mode: HARTransport.Mode, entries requests: [String]) -> Client {
    let entries = requests.enumerated().map { index, request in
      let parts = request.split(separator: " ", maxSplits: 1)
      return HAR.Entry(
        parts[0] == "POST" ? .post : .get, String(parts[1]), response: .json("\(index + 1)"))
    }
    return Client(baseURL: "https://a.b") { $0.transport = .har(HAR(entries: entries), mode: mode) }
  }

  @Test func `method and URL are respected`() async throws {
    let client = client(.strict, "GET https://a.b/x", "POST https://a.b/x", "GET https://a.b/y")
    #expect(try await client.send(Request<Int>.get("/y")) == 3)
    #expect(try await client.send(Request<Int>.post("/x")) == 2)
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
  }

  @Test func `a request asked again gets its next recording`() async throws {
    let client = client(.strict, "GET https://a.b/x", "GET https://a.b/y", "GET https://a.b/x")
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(try await client.send(Request<Int>.get("/x")) == 3)
    let error = await client.result(of: Request<Int>.get("/x")).failure
    #expect(
      error.map { "\($0)" }
        == "GET https://a.b/x: its 2 recordings were already used: strict replay uses each recording once"
    )
    #expect(try await client.send(Request<Int>.get("/y")) == 2)
  }

  @Test func `lenient replay repeats the last recording`() async throws {
    let client = client(.lenient, "GET https://a.b/x", "GET https://a.b/x")
    var responses: [Int] = []
    for _ in 1...4 { responses.append(try await client.send(Request<Int>.get("/x"))) }
    #expect(responses == [1, 2, 2, 2])
  }

  @Test(arguments: [
    "https://a.b/x/y?p=1&q=a%20b", "HTTPS://A.B:443/x/y?q=a+b&p=1",
    "https://a.b/%78/y?q=%61%20b&p=1#top",
    "https://a.b/x/z/../y?p=1&q=a b", "https://ann:pw@a.b/./x/y?&q=a%20b&&p=1",
  ])
  func `urls are compared normalized`(url: String) async throws {
    let client = client(.strict, "GET \(url)")
    #expect(try await client.send(Request<Int>.get("/x/y", query: ["p": 1, "q": "a b"])) == 1)
  }

  @Test(
    arguments: [
      ("https://a.b/caf%c3%a9", "/café"), ("https://a.b/café", "/café"),
      ("https://a.b/a%2fb", "/\("a/b")"),
      ("https://a.b/u%3Ax", "/u:x"), ("https://a.b/u:x", "/\("u:x")"), ("https://a.b", "/"),
      ("https://a.b/100%", "/\("100%")"),
    ] as [(String, Path)])
  func `escapes are compared normalized`(url: String, path: Path) async throws {
    #expect(try await client(.strict, "GET \(url)").send(Request<Int>.get(path)) == 1)
  }

  @Test(arguments: [
    "https://bücher.example/x", "https://xn--bcher-kva.example:443/x",
    "https://B%C3%9CCHER.example:/x",
  ])
  func `a Unicode host equals its ASCII form`(url: String) async throws {
    let client = Client(baseURL: "https://bücher.example") {
      $0.transport = .har(HAR(entries: [HAR.Entry(.get, url, response: .json("1"))]))
    }
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
  }

  @Test(arguments: [
    "https://a.b/a/b", "https://a.b/A%2Fb", "http://a.b/a%2Fb", "https://a.b:8443/a%2Fb",
    "https://a.c/a%2Fb", "https://a.b/a%2Fb/", "https://a.b/a%2Fb?x=1", "https://a.b/a%252Fb",
  ])
  func `another URL is not answered`(url: String) async {
    let error = await client(.strict, "GET \(url)").result(of: Request<Int>.get("/\("a/b")"))
      .failure
    #expect(error?.invalidRequest != nil)
  }

  @Test func `strict replay respects the query`() async throws {
    let client = client(.strict, "GET https://a.b/x?l=1&l=2", "GET https://a.b/x?l=1&l=1")
    for query: Query in [[:], ["l": 1], ["l": 3], ["l": [1, 2], "q": "x"]] {
      #expect(await client.result(of: Request<Int>.get("/x", query: query)).failure != nil)
    }
    #expect(try await client.send(Request<Int>.get("/x", query: ["l": [1, 1]])) == 2)
    #expect(try await client.send(Request<Int>.get("/x", query: ["l": [2, 1]])) == 1)
  }

  @Test func `lenient replay takes the query that shares most`() async throws {
    let client = client(
      .lenient, "GET https://a.b/x?state=all&page=2", "GET https://a.b/x",
      "GET https://a.b/x?state=open&page=1&sort=up", "GET https://a.b/x?state=open&page=1")
    let response = { (query: Query) in try await client.send(Request<Int>.get("/x", query: query)) }
    #expect(try await response(["page": 1, "state": "open"]) == 4)
    #expect(try await response(["page": 2, "state": "open"]) == 1)
    #expect(try await response(["page": 1, "state": "open", "sort": "down"]) == 3)
    #expect(try await response(["page": 1, "sort": "up"]) == 3)
    #expect(try await response(["q": "none"]) == 1)
    #expect(try await response([:]) == 2)
  }

  @Test func `lenient replay stays with the first of equally near queries`() async throws {
    let client = client(
      .lenient, "GET https://a.b/x?a=1&n=9", "GET https://a.b/x?b=1&n=9",
      "GET https://a.b/x?n=9&a=1")
    let response = { (query: Query) in try await client.send(Request<Int>.get("/x", query: query)) }
    for _ in 1...3 { #expect(try await response(["n": 9]) == 1) }
    // Near matches did not use up these recordings.
    #expect(try await response(["n": 9, "a": 1]) == 1)
    #expect(try await response(["n": 9, "a": 1]) == 3)
  }

  @Test func `lenient replay tells of each recording of another query`() async throws {
    let matches = Events<String>()
    let entries = [HAR.Entry(.get, "https://a.b/x?page=1&token=hunter2", response: .json("1"))]
    let client = Client(baseURL: "https://a.b") {
      $0.transport = .har(HAR(entries: entries), mode: .lenient) { matches.note("\($0), \($1)") }
    }
    let send = { (query: Query) in try await client.send(Request<Int>.get("/x", query: query)) }
    for _ in 1...2 { #expect(try await send(["page": 1]) == 1) }
    #expect(matches.entries.isEmpty)
    #expect(try await send(["page": 2]) == 1)
    #expect(
      matches.entries == ["GET https://a.b/x?page=2, GET https://a.b/x?page=1&token=***"])
    _ = await client.result(of: Request<Int>.get("/y"))
    #expect(matches.entries.count == 1, "an unrecorded request is an error")
  }

  @Test func `lenient replay respects method host and path`() async {
    let client = client(.lenient, "POST https://a.b/x", "GET https://a.c/x", "GET https://a.b/x/y")
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.invalidRequest != nil)
  }

  @Test(arguments: [
    ("https://a.b/x?q=1", "hunter2"), ("https://a.b/x?q=1&api_key=***", "hunter2"),
    ("https://a.b/x?API_KEY=REDACTED&q=1", "hunter2"),
    ("https://a.b/x?q=1&api_key=other", "hunter2"),
    ("https://a.b/x?q=1&api_key=hunter2", nil), ("https://a.b/x?q=1&api_key=", "hunter2"),
  ])
  func `secret items are left out of the comparison`(url: String, key: String?) async throws {
    let query: Query = ["q": 1, "api_key": key]
    #expect(try await client(.strict, "GET \(url)").send(Request<Int>.get("/x", query: query)) == 1)
  }

  @Test func `an item that the endpoint marks is left out too`() async throws {
    let client = client(.strict, "GET https://a.b/x")
    #expect(await client.result(of: Request<Int>.get("/x", query: ["pin": "1"])).failure != nil)
    #expect(try await client.send(Request<Int>.get("/x", query: ["pin": Sensitive("1")])) == 1)
  }

  @Test func `recordings of other secrets are taken in their order`() async throws {
    let client = client(
      .strict, "GET https://a.b/x?api_key=one", "GET https://a.b/x",
      "GET https://a.b/x?api_key=***")
    for expected in 1...3 {
      let request = Request<Int>.get("/x", query: ["api_key": "hunter2"])
      #expect(try await client.send(request) == expected)
    }
  }

  @Test func `lenient replay does not count secrets`() async throws {
    let client = client(.lenient, "GET https://a.b/x?api_key=hunter2", "GET https://a.b/x?page=1")
    let query: Query = ["api_key": "hunter2", "page": 1, "q": "x"]
    #expect(try await client.send(Request<Int>.get("/x", query: query)) == 2)
  }

  /// Lists the recordings of the same path, otherwise three of the same host, otherwise the first three.
  @Test(arguments: [
    (
      [
        "GET https://a.b/y", "GET https://c.d/x", "POST https://a.b/x",
        "GET https://a.b/x?page=2&token=hunter2", "GET https://a.b/x?page=2&token=hunter2",
      ], "POST https://a.b/x, GET https://a.b/x?page=2&token=***, GET https://a.b/y"
    ),
    (
      ["GET https://c.d/x"] + (1...4).map { "GET https://a.b/\($0)" },
      "GET https://a.b/1, GET https://a.b/2, GET https://a.b/3"
    ),
    (
      ["GET https://c.d/1", "GET https://e.f/x", "GET https://c.d/2", "GET https://c.d/3"],
      "GET https://c.d/1, GET https://e.f/x, GET https://c.d/2"
    ),
  ])
  func `request that is not recorded names the nearest`(requests: [String], names: String)
    async throws
  {
    let endpoint = Request<Int>.get("/x", query: ["page": 1, "api_key": "hunter3"])
    let client = client(.strict, entries: requests)
    let error = try #require(await client.result(of: endpoint).failure)
    #expect(error.request == "GET https://a.b/x?page=1&api_key=***")
    #expect(!error.isRetryable)
    let reason = "this request is not recorded; recorded requests: \(names)"
    #expect(error.invalidRequest?.reason == reason)
  }

  @Test func `an empty recording says so`() async {
    let client = Client(baseURL: "https://a.b") { $0.transport = .har(HAR()) }
    let error = await client.result(of: Request<Int>.get("/x")).failure
    #expect(error?.invalidRequest?.reason == "the recording has no requests")
  }

  @Test func `fields of the coded body are dropped`() async throws {
    let entry = HAR.Entry(
      .get, "https://a.b/x",
      response: Sample(
        headerFields: [
          .contentEncoding: "gzip", .contentLength: "9999", .transferEncoding: "chunked",
          .eTag: "1",
        ], body: Data("1".utf8)))
    let client = Client(baseURL: "https://a.b") { $0.transport = .har(HAR(entries: [entry])) }
    let response = try await client.response(for: Request<Int>.get("/x"))
    #expect(response.value == 1)
    #expect(response.head.headerFields == [.eTag: "1"])
  }

  @Test func `recorded redirects are followed`() async throws {
    let entries: [HAR.Entry] = [
      HAR.Entry(.get, "https://a.b/x", response: .status(.movedPermanently, "/y?from=x")),
      HAR.Entry(.get, "https://a.b/y?from=x", response: .status(.found, "https://c.d/z")),
      HAR.Entry(.get, "https://c.d/z", response: .json("7")),
    ]
    let client = Client(baseURL: "https://a.b") { $0.transport = .har(HAR(entries: entries)) }
    let response = try await client.response(for: Request<Int>.get("/x"))
    #expect(response.value == 7 && response.url == "https://c.d/z")
  }

  @Test func `many at once each get their own`() async throws {
    let entries = (1...200).map { HAR.Entry(.get, "https://a.b/x", response: .json("\($0)")) }
    let client = Client(baseURL: "https://a.b") { $0.transport = .har(HAR(entries: entries)) }
    let responses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 1...200 { group.addTask { try await client.send(Request<Int>.get("/x")) } }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(responses == Set(1...200))
  }

  @Test func `a cancelled request uses nothing`() async throws {
    let transport = HARTransport(
      HAR(entries: [HAR.Entry(.get, "https://a.b/x", response: .json("1"))]))
    let client = Client(baseURL: "https://a.b") { $0.transport = transport }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await client.result(of: Request<Int>.get("/x"))
    }
    #expect(await cancelled.value.failure?.isCancelled == true)
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
  }
}

extension Sample {
  fileprivate static func status(_ status: HTTPResponse.Status, _ location: String) -> Sample {
    Sample(status: status, headerFields: [.location: location])
  }
}
