import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HARRecorderTests {
  private let clock = TestClock()
  private let stub: StubTransport
  private let recorder = HARRecorder { Date(timeIntervalSince1970: 1_800_000_000) }

  init() { stub = StubTransport(clock: clock) }

  @Test func `an exchange is recorded`() async throws {
    let tag = try #require(HTTPField.Name("X-Tag"))
    let endpoint = Request<[Int]>.post(
      "/x", query: ["a": "b c"], headerFields: [tag: "t"], body: .json(["n": 1]))
    let gate = stub.hold(endpoint)
    let client = Client.recorded(by: recorder, stub: stub)
    let task = Task { try await client.send(endpoint) }
    await gate.waitForRequests(1)
    clock.advance(by: .milliseconds(250))
    gate.respond(with: .json("[1]", status: .created))
    #expect(try await task.value == [1])
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(recorder.har.entries.count == 1)
    #expect(entry.method == .post && entry.url == "https://api.example.com/x?a=b%20c")
    #expect(entry.headerFields[tag] == "t" && entry.body == Data(#"{"n":1}"#.utf8))
    #expect(entry.headerFields[.contentType] == "application/json")
    #expect(entry.response.status == .created && entry.response.body == Data("[1]".utf8))
    #expect(entry.startedAt == Date(timeIntervalSince1970: 1_800_000_000))
    let wait = Duration.milliseconds(250)
    #expect(entry.timings == HAR.Timings(send: .zero, wait: wait, receive: .zero))
    #expect(entry.comment == nil && entry.failure == nil)
  }

  @Test func `a written file is replayed`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "x.har")
    let number = Request<[Int]>.get("/n", query: ["api_key": "secret-1", "page": 2])
    let bytes = Request<Data>.get("/bytes")
    let missing = Request<Int>.get("/missing")
    stub.stub(number, with: .json("[7]"), .json("[8]"))
    stub.stub(
      bytes,
      with: .sample(
        Sample(headerFields: [.contentEncoding: "gzip"], body: Data([0, 0xFF, 0x80]))))
    stub.stub(missing, with: .json(#"{"message": "gone"}"#, status: .gone))
    let live = Client.recorded(by: recorder, stub: stub)
    func values(_ client: Client) async throws -> [String] {
      var values = ["\(try await client.send(number))", "\(try await client.send(number))"]
      values.append("\([UInt8](try await client.send(bytes)))")
      let error = await client.result(of: missing).failure
      return values + ["\(error.map { "\($0)" } ?? "")"]
    }
    let recorded = try await values(live)
    try recorder.write(to: file)
    let har = try HAR(contentsOf: file)
    #expect(har == recorder.har)
    let replayed = Client(baseURL: "https://api.example.com") { $0.transport = .har(har) }
    #expect(try await values(replayed) == recorded)
  }

  @Test func `redirects and retries are exchanges`() async throws {
    stub.stub(.get, "/a", with: .status(.found, [.location: "/b?token=tok-123456"]))
    stub.stub(.get, "/b", with: .status(.serviceUnavailable), .json("1"))
    var policy = RetryPolicy()
    policy.random = { 0 }
    let client = Client.recorded(by: recorder, stub: stub) { $0.middleware = [.retrying(policy)] }
    #expect(try await client.send(Request<Int>.get("/a")) == 1)
    let entries = recorder.checkedHAR().entries
    #expect(entries.map(\.response.status.code) == [302, 503, 302, 200])
    #expect(entries[1].url == "https://api.example.com/b?token=***")
    #expect(entries[0].response.headerFields[.location] == "/b?token=***")
    #expect(
      String(decoding: recorder.har.data(), as: UTF8.self)
        .contains(#""redirectURL" : "/b?token=***""#))
  }

  @Test func `what other network middlewares add is recorded`() async throws {
    stub.stub(.get, "/x", with: .json("1"))
    let tag = try #require(HTTPField.Name("X-Tag"))
    let client = Client.recorded(by: recorder, stub: stub) {
      $0.networkMiddleware.insert(StandardMiddleware.cookies(), at: 0)
      $0.middleware = [.headerFields([tag: "added"])]
    }
    _ = try await client.send(Request<Int>.get("/x"))
    #expect(recorder.har.entries.first?.headerFields[tag] == "added")
    _ = try await client.send(Request<Int>.get("/x").without(.recording))
    #expect(recorder.har.entries.count == 1)
  }

  @Test func `a streamed request body is read once and its size recorded`() async throws {
    stub.stub(.put, "/x", with: .json("1"))
    let reads = Mutex(0)
    let body = RequestBody.stream(length: 6) {
      reads.withLock { $0 += 1 }
      return AsyncStream { chunks in
        chunks.yield(Data("abcdef".utf8))
        chunks.finish()
      }
    }
    _ = try await Client.recorded(by: recorder, stub: stub).send(Request<Int>.put("/x", body: body))
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(reads.withLock { $0 } == 1)
    #expect(entry.body == nil && entry.bodySize == 6)
    #expect(entry.comment == "The request's body was streamed and is not recorded.")
  }

  @Test func `two recorders record the same`() async throws {
    let other = HARRecorder { Date(timeIntervalSince1970: 1_800_000_000) }
    stub.stub(.get, "/x", with: .chunks("a", "b"))
    #expect(
      try await Client.recorded(by: recorder, other, stub: stub).send(Request<String>.get("/x"))
        == "ab")
    #expect(recorder.har.entries.count == 1 && recorder.har == other.har)
  }

  @Test func `many tasks of two clients share a recorder`() async throws {
    let recorder = HARRecorder()
    stub.stub(
      .get, "/**",
      with: .responding { request in
        let path = request.head.path ?? ""
        return IncomingResponse(
          head: HTTPResponse(status: .ok),
          body: ResponseBody {
            var rest = path.map { String($0) }[...]
            return {
              await Task.yield()
              return rest.popFirst().map { Data($0.utf8) }
            }
          })
      })
    let clients = [
      Client.recorded(by: recorder, stub: stub), Client.recorded(by: recorder, stub: stub),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let text = try await clients[number % 2].send(Request<String>.get("/item/\(number)"))
          #expect(text == "/item/\(number)")
        }
        if number % 20 == 0 { group.addTask { _ = recorder.har } }
      }
      try await group.waitForAll()
    }
    let entries = recorder.checkedHAR().entries
    #expect(Set(entries.map(\.url)).count == 200)
    for entry in entries {
      #expect(
        entry.comment == nil
          && entry.url.hasSuffix(String(decoding: entry.response.body, as: UTF8.self)))
    }
  }

  @Test func `a chain with a recorder is still stoppable`() async throws {
    let transport = StoppableStub(stub: stub)
    stub.stub(.get, "/x", with: .chunks("a"))
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = transport
      $0.clock = clock
      $0.networkMiddleware = [.recording(recorder)]
    }
    #expect(try await client.send(Request<String>.get("/x")) == "a")
    #expect(recorder.har.entries.first?.comment == nil)
    let gate = stub.hold(.get, "/held")
    let task = Task { await client.result(of: Request<String>.get("/held")) }
    await gate.waitForRequests(1)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(100))
    #expect(await task.value.failure?.timeoutFailure != nil)
    #expect(recorder.har.entries.last?.failure?.contains("limits.") == true)
  }

  @Test func `a recorder shows no exchanges`() async throws {
    stub.stub(.get, "/x", with: .json("1"))
    _ = try await Client.recorded(by: recorder, stub: stub).send(
      Request<Int>.get("/x", query: ["token": "tok-123456"]))
    var text = "\(recorder) \(String(reflecting: recorder))"
    dump(recorder, to: &text)
    #expect(!text.contains("tok-123456"))
  }
}
