import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StubTransportTests {
  private let clock = TestClock()
  private let stub: StubTransport
  private let client: Client

  init() {
    stub = StubTransport(clock: clock)
    client = .stubbed(by: stub)
  }

  @Test func `an endpoint is stubbed by method path and query`() async throws {
    stub.stub(Request<Int>.get("/x"), with: .json("1"))
    stub.stub(Request<Int>.get("/x", query: ["page": 2]), with: .json("2"))
    stub.stub(Request<Int>.post("/x"), with: .json("3"))
    stub.stub(Request<Int>.get("/x/y"), with: .json("4"))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(try await client.send(Request<Int>.get("/x", query: ["page": 2])) == 2)
    #expect(try await client.send(Request<Int>.post("/x")) == 3)
    #expect(try await client.send(Request<Int>.get("/x/y")) == 4)
  }

  @Test func `a response is cut off`() async throws {
    let text = StubResponse.json("[1, 2, 3]")
    stub.stub(.get, "/x", with: text.cut(after: 4), text.cut(after: 9), text.cut(after: 8))
    let streamed = try await client.stream(.get("/x"))
    var bytes = Data()
    do {
      for try await chunk in streamed { bytes += chunk }
      Issue.record("It was not cut off.")
    } catch {
      guard case .transport(let failure) = error else { throw error }
      #expect(failure.kind == .lost)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "[1, ")
    #expect(try await client.send(Request<[Int]>.get("/x")) == [1, 2, 3])
    await #expect(throws: Client.Error.self) { try await client.send(Request<[Int]>.get("/x")) }
  }

  @Test func `a cut response has the delays of both sides`() async throws {
    stub.stub(
      .get, "/x", with: .json("1").after(.seconds(1)).cut(after: 1).after(.seconds(2)))
    async let one = client.send(Request<Int>.get("/x"))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(3))
    #expect(try await one == 1)
  }

  @Test func `faults on the wire need a server`() async {
    stub.stub(.get, "/x", with: .json("1").with(.reset(after: 0)))
    await withKnownIssue {
      _ = await client.result(of: Request<Int>.get("/x"))
    } matching: { issue in
      "\(issue)".contains("GET https://api.example.com/x has connection faults")
    }
  }

  @Test func `an endpoint is found below a base URL's path and whatever middlewares add`()
    async throws
  {
    struct Key: Middleware {
      func send(
        _ request: OutgoingRequest, next: @escaping Next
      ) async throws(Client.Error) -> IncomingResponse {
        var request = request
        request.head.path = (request.head.path ?? "") + "&api_key=1"
        return try await next(request)
      }
    }
    let client = Client.stubbed(by: stub, baseURL: "https://example.com/api/v3") {
      $0.middleware = [Key()]
    }
    let endpoint = Request<Int>.get("/x", query: ["page": 1])
    stub.stub(endpoint, with: .json("1"))
    stub.stub(.get, "/y/*", with: .json("2"))
    stub.stub(.get, "/api/v3/z", with: .json("3"))
    #expect(try await client.send(endpoint) == 1)
    #expect(try await client.send(Request<Int>.get("/y/1", query: ["a": 1])) == 2)
    #expect(try await client.send(Request<Int>.get("/z", query: ["a": 1])) == 3)
  }

  @Test(
    arguments: [
      ("/repos/*/*", "/repos/a/b", true), ("/repos/*/*", "/repos/a", false),
      ("/repos/*/*", "/repos/a/b/c", false), ("/repos/**", "/repos/a/b/c", true),
      ("/repos/**", "/repos", true), ("/repos/**", "/users/a", false), ("/**", "/", true),
      ("/repos/*", "/repos/a%2Fb", true), ("/a", "/A", false),
    ] as [(Path, Path, Bool)])
  func `a pattern matches segments`(pattern: Path, path: Path, matches: Bool) async throws {
    stub.stub(.get, "/**", with: .json("0"))
    stub.stub(.get, pattern, with: .json("1"))
    #expect(
      try await client.send(Request<Int>.get(path, query: ["q": "/"])) == (matches ? 1 : 0))
  }

  @Test func `the newest stub wins`() async throws {
    let endpoint = Request<Int>.get("/x")
    stub.stub(endpoint, with: .json("1"))
    stub.stub(.get, "/*", with: .json("2"))
    #expect(try await client.send(endpoint) == 2)
    stub.stub(endpoint, with: .json("3"))
    #expect(try await client.send(endpoint) == 3)
  }

  @Test func `responses come in their order and the last repeats`() async throws {
    let endpoint = Request<Int>.get("/x")
    stub.stub(endpoint, with: .json("1"), .status(.serviceUnavailable), .json("3"))
    #expect(try await client.send(endpoint) == 1)
    let error = await #expect(throws: Client.Error.self) { try await client.send(endpoint) }
    #expect(error?.status == .serviceUnavailable)
    #expect(try await client.send(endpoint) == 3)
    #expect(try await client.send(endpoint) == 3)
  }

  @Test func `every kind of response passes the pipeline`() async throws {
    struct Unplugged: Error {}
    stub.stub(
      .get, "/x", with: .data(Data("1".utf8), contentType: "application/json"),
      .sample(Sample(status: .found, headerFields: [.location: "/y"])), .failure(Unplugged()),
      .failure(Client.Error.cancelled))
    stub.stub(
      .get, "/y",
      with: .sample { request in .json("\(request.head.headerFields.count)") },
      .responding { _ in
        IncomingResponse(head: .init(status: .ok), body: ResponseBody(Data("22".utf8)))
      })
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(try await client.send(Request<Int>.get("/x")) == 2)
    let lost = await #expect(throws: Client.Error.self) {
      try await client.send(Request<Int>.get("/x"))
    }
    #expect(lost.map { "\($0)" }?.contains("Unplugged()") == true)
    let cancelled = await #expect(throws: Client.Error.self) {
      try await client.send(Request<Int>.get("/x"))
    }
    #expect(cancelled.map { "\($0)" } == "cancelled")
    #expect(try await client.send(Request<Int>.get("/y")) == 22)
  }

  @Test func `requests are logged in their order`() async throws {
    stub.stub(.get, "/a", with: .status(.found, [.location: "/b"]))
    stub.stub(.get, "/b", with: .json("1"))
    _ = try await client.send(Request<Int>.get("/a", headerFields: [.cookie: "x=y"]))
    _ = try await client.send(Request<Int>.get("/b"))
    #expect(stub.requests.map(\.head.path) == ["/a", "/b", "/b"])
    #expect(stub.requests.first?.head.headerFields[.cookie] == "x=y")
    #expect(stub.requests.first?.endpoint is Request<Int>)
  }

  @Test func `a delayed response comes after its delay`() async throws {
    let endpoint = Request<Int>.get("/x").limits {
      $0.total = nil
      $0.firstByte = nil
    }
    stub.stub(endpoint, with: .json("1").after(.seconds(2)).after(.seconds(3)))
    let task = Task { [client] in try await client.send(endpoint) }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(4_999))
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await task.value == 1)
  }

  @Test func `a delayed response is cancelled at once`() async {
    let endpoint = Request<Int>.get("/x").limits {
      $0.total = nil
      $0.firstByte = nil
    }
    stub.stub(endpoint, with: .json("1").after(.seconds(2)))
    let task = Task { [client] in await client.result(of: endpoint) }
    await clock.waitForSleepers(1)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
    #expect(clock.sleepers == 0)
  }

  @Test func `a request that nothing stubs fails the test and names itself`() async throws {
    let endpoint = Request<Int>.get("/repos/apple/swift", query: ["page": 1, "api_key": "hunter2"])
    let line: Int = #line + 1
    let stub = StubTransport()
    stub.stub(Request<Int>.get("/other", query: ["token": "hunter2"]), with: .json("1"))
    stub.stub(.post, "/repos/*/*", with: .json("1"))
    let client = Client.stubbed(by: stub)
    let recorded = Recorded()
    await withKnownIssue {
      let error = await #expect(throws: Client.Error.self) { try await client.send(endpoint) }
      #expect(
        error.map { "\($0)" }
          == "GET https://api.example.com/repos/apple/swift?page=1&api_key=***: no stub matches it")
    } matching: { issue in
      recorded.add(issue)
      return "\(issue)".contains("No stub matches GET")
    }
    let issue = try #require(recorded.issues.first)
    #expect(recorded.issues.count == 1)
    #expect(
      issue.comments.map(\.rawValue) == [
        """
        No stub matches GET https://api.example.com/repos/apple/swift?page=1&api_key=***. \
        Stubbed: GET /other?token=…, POST /repos/*/*.
        """
      ])
    #expect(issue.sourceLocation?.line == line)
    #expect(stub.requests.count == 1)
  }

  @Test func `a stub of another query does not respond`() async {
    stub.stub(Request<Int>.get("/x", query: ["page": 1]), with: .json("1"))
    await withKnownIssue {
      _ = await client.result(of: Request<Int>.get("/x", query: ["page": 2]))
    } matching: { issue in
      "\(issue)".contains("Stubbed: GET /x?page=….")
    }
  }

  @Test func `the order of a querys names says nothing that of its values does`() async throws {
    stub.stub(Request<Int>.get("/x", query: ["b": 1, "a": [1, 2]]), with: .json("1"))
    stub.stub(Request<Int>.get("/x", query: ["a": [2, 1], "b": 1]), with: .json("2"))
    #expect(try await client.send(Request<Int>.get("/x", query: ["a": [1, 2], "b": 1])) == 1)
    #expect(try await client.send(Request<Int>.get("/x", query: ["b": 1, "a": [2, 1]])) == 2)
  }

  @Test func `an endpoint is served from its sample`() async throws {
    let endpoint = Request<Int>.get("/x").sample(.json("7"))
    #expect(try await client.send(endpoint) == 7)
    stub.stub(endpoint, with: .json("8"))
    #expect(try await client.send(endpoint) == 8)
  }

  @Test func `any endpoint may carry a sample`() async throws {
    enum Movies: String, Endpoint {
      case top, bad, none
      var request: Request<Int> {
        let request = Request<Int>.get("/\(rawValue)")
        return switch self {
        case .top: request.sample(.json("1"))
        case .bad: request.sample(.json("{}", status: .notFound))
        case .none: request
        }
      }
    }
    #expect(try await client.send(Movies.top) == 1)
    let error = await #expect(throws: Client.Error.self) { try await client.send(Movies.bad) }
    #expect(error?.status == .notFound)
    await withKnownIssue { _ = await client.result(of: Movies.none) }
  }

  @Test func `samples are not served where they are not wanted`() async {
    let client = Client.stubbed(by: StubTransport(servesSamples: false))
    await withKnownIssue {
      _ = await client.result(of: Request<Int>.get("/x").sample(.json("7")))
    }
  }

  @Test func `a sample does not respond where its endpoint was redirected to`() async {
    let endpoint = Request<Int>.get("/x").sample(.json("7"))
    stub.stub(endpoint, with: .status(.found, [.location: "/y"]))
    await withKnownIssue { _ = await client.result(of: endpoint) }
  }
}

/// The recorded issues, which the closure of `withKnownIssue` can't return.
private final class Recorded: Sendable {
  private let state = Mutex<[Issue]>([])
  var issues: [Issue] { state.withLock { $0 } }
  func add(_ issue: Issue) { state.withLock { $0.append(issue) } }
}
