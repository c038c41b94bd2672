import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HARRecorderTests {
  private let clock = TestClock()
  private let stub: StubTransport
  private let recorder = HARRecorder { Date(timeIntervalSince1970: 1_800_000_000) }

  init() { stub = StubTransport(clock: clock) }

  private func client(
    _ recorders: HARRecorder..., configure: (inout Client.Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub) {
      let all = recorders.isEmpty ? [recorder] : recorders
      $0.networkMiddleware = all.map { .recording($0) }
      $0.limits.total = nil
      configure(&$0)
    }
  }

  private func checked(_ har: HAR) -> HAR {
    let checker = HARChecker(har.data())
    #expect(checker.problems == [] && checker.contradictions == [])
    return har
  }

  /// A body in chunks, whose end is an error if there is one.
  private func chunks(_ texts: String..., error: (any Error & Sendable)? = nil) -> StubResponse {
    .responding { _ in
      IncomingResponse(
        head: HTTPResponse(status: .ok),
        body: ResponseBody {
          var rest = texts[...]
          return {
            if let text = rest.popFirst() { return Data(text.utf8) }
            if let error { throw error }
            return nil
          }
        })
    }
  }

  @Test func anExchangeIsRecorded() async throws {
    let tag = try #require(HTTPField.Name("X-Tag"))
    let endpoint = Request<[Int]>.post(
      "/x", query: ["a": "b c"], headerFields: [tag: "t"], body: .json(["n": 1]))
    let gate = stub.hold(endpoint)
    let client = client()
    let task = Task { try await client.send(endpoint) }
    await gate.waitForRequests(1)
    clock.advance(by: .milliseconds(250))
    gate.respond(with: .json("[1]", status: .created))
    #expect(try await task.value == [1])
    let entry = try #require(checked(recorder.har).entries.first)
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

  @Test func aWrittenFileIsReplayed() async throws {
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
    let live = client()
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

  @Test func redirectsAndRetriesAreExchanges() async throws {
    stub.stub(.get, "/a", with: .status(.found, [.location: "/b?token=tok-123456"]))
    stub.stub(.get, "/b", with: .status(.serviceUnavailable), .json("1"))
    var policy = RetryPolicy()
    policy.random = { 0 }
    let client = client { $0.middleware = [.retrying(policy)] }
    #expect(try await client.send(Request<Int>.get("/a")) == 1)
    let entries = checked(recorder.har).entries
    #expect(entries.map(\.response.status.code) == [302, 503, 302, 200])
    #expect(entries[1].url == "https://api.example.com/b?token=***")
    #expect(entries[0].response.headerFields[.location] == "/b?token=***")
    #expect(
      String(decoding: recorder.har.data(), as: UTF8.self)
        .contains(#""redirectURL" : "/b?token=***""#))
  }

  @Test func whatOtherNetworkMiddlewaresAddIsRecorded() async throws {
    stub.stub(.get, "/x", with: .json("1"))
    let tag = try #require(HTTPField.Name("X-Tag"))
    let client = client {
      $0.networkMiddleware.insert(StandardNetworkMiddleware.cookies(), at: 0)
      $0.middleware = [.headerFields([tag: "added"])]
    }
    _ = try await client.send(Request<Int>.get("/x"))
    #expect(recorder.har.entries.first?.headerFields[tag] == "added")
    _ = try await client.send(Request<Int>.get("/x").without(.recording))
    #expect(recorder.har.entries.count == 1)
  }

  @Test func aRequestWithoutAResponseHasStatusZeroAndAReason() async throws {
    stub.stub(.get, "/x", with: .failure(TransportError(.refused, reason: "connection refused")))
    _ = await client().result(of: Request<Int>.get("/x"))
    let entry = try #require(checked(recorder.har).entries.first)
    #expect(entry.response.status.code == 0)
    #expect(entry.failure == "GET https://api.example.com/x: connection refused")
    let text = String(decoding: recorder.har.data(), as: UTF8.self)
    #expect(text.contains(#""_error" : "GET https://api.example.com/x: connection refused""#))
    #expect(text.contains(#""status" : 0"#) && text.contains(#""statusText" : """#))
    #expect(try HAR(data: recorder.har.data()).entries.isEmpty)
  }

  @Test func aBodyThatFailsHasWhatArrivedAndAReason() async throws {
    stub.stub(
      .get, "/x", with: chunks("one", "two", error: TransportError(.other, reason: "reset")))
    _ = await client().result(of: Request<String>.get("/x"))
    let entry = try #require(checked(recorder.har).entries.first)
    #expect(entry.response.body == Data("onetwo".utf8) && entry.response.status == .ok)
    #expect(entry.failure == "GET https://api.example.com/x: reset")
  }

  @Test func aStreamIsPassedOnChunkByChunk() async throws {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .body(first: Data("a".utf8), heldBy: gate, piece: Data("b".utf8)))
    let client = client { ($0.limits.idle, $0.limits.firstByte) = (nil, nil) }
    let response = try await client.stream(Request<Data>.get("/x"))
    var chunks = response.makeAsyncIterator()
    #expect(recorder.har.entries.first?.comment == "The response's body was still arriving.")
    #expect(recorder.har.entries.first?.response.body == Data())
    #expect(try await chunks.next() == Data("a".utf8))
    // Nobody asked for the next chunk yet.
    #expect(gate.held.isEmpty && recorder.har.entries.first?.response.body == Data("a".utf8))
    gate.respond(with: .status(.ok))
    #expect(try await chunks.next() == Data("b".utf8))
    let entry = try #require(checked(recorder.har).entries.first)
    #expect(entry.response.body == Data("ab".utf8))
    #expect(entry.comment == "The response's body was still arriving.")
  }

  @Test func aBodyThatIsReleasedUnreadIsNotWhole() async throws {
    stub.stub(.get, "/x", with: chunks("one", "two"))
    var response: StreamedResponse? = try await client().stream(Request<Data>.get("/x"))
    var iterator = response?.makeAsyncIterator()
    #expect(try await iterator?.next() == Data("one".utf8))
    (response, iterator) = (nil, nil)
    let entry = try #require(checked(recorder.har).entries.first)
    #expect(entry.comment == "The response's body was not read to its end.")
    #expect(entry.response.body == Data("one".utf8) && entry.failure == nil)
  }

  @Test func aCancelledRequestIsRecordedAsCancelled() async throws {
    let gate = stub.hold(.get, "/x")
    let client = client()
    let task = Task { await client.result(of: Request<Int>.get("/x")) }
    await gate.waitForRequests(1)
    #expect(checked(recorder.har).entries.first?.comment == "The response had not arrived yet.")
    #expect(recorder.har.entries.first?.response.status.code == 0)
    task.cancel()
    _ = await task.value
    let entry = try #require(checked(recorder.har).entries.first)
    #expect(entry.failure == "cancelled" && entry.comment == nil)
  }

  @Test func aStreamedRequestBodyIsReadOnceAndItsSizeRecorded() async throws {
    stub.stub(.put, "/x", with: .json("1"))
    let reads = Mutex(0)
    let body = RequestBody.stream(length: 6) {
      reads.withLock { $0 += 1 }
      return AsyncStream { chunks in
        chunks.yield(Data("abcdef".utf8))
        chunks.finish()
      }
    }
    _ = try await client().send(Request<Int>.put("/x", body: body))
    let entry = try #require(checked(recorder.har).entries.first)
    #expect(reads.withLock { $0 } == 1)
    #expect(entry.body == nil && entry.bodySize == 6)
    #expect(entry.comment == "The request's body was streamed and is not recorded.")
  }

  @Test func longBodiesAreCutOff() async throws {
    let recorder = HARRecorder(bodyLimit: 4)
    stub.stub(.post, "/x", with: chunks("abc", "def", "ghi"), .json("1234567"), .json("1234"))
    let client = client(recorder)
    let post = Request<String>.post("/x", body: .data(Data("12345".utf8)))
    #expect(try await client.send(post) == "abcdefghi")
    _ = try await client.send(post)
    _ = try await client.send(Request<String>.post("/x", body: .data(Data("1234".utf8))))
    let har = checked(recorder.har)
    #expect(har.entries.map(\.response.body) == ["abcd", "1234", "1234"].map { Data($0.utf8) })
    #expect(har.entries.map(\.responseSize) == [9, 7, nil])
    #expect(har.entries.map(\.body) == ["1234", "1234", "1234"].map { Data($0.utf8) })
    #expect(har.entries.map(\.bodySize) == [5, 5, nil])
    #expect(
      har.entries[0].comment == "The request's body is cut off after 4 bytes. "
        + "The response's body is cut off after 4 bytes.")
    #expect(har.entries[2].comment == nil)
    #expect(try HAR(data: har.data()).entries.map(\.responseSize) == [9, 7, nil])
  }

  @Test func aFullRecorderKeepsTheOldestAndCountsTheOthers() async throws {
    let recorder = HARRecorder(limit: 10_000)
    stub.stub(
      .get, "/**", with: .data(Data(repeating: 1, count: 4_000)))
    let client = client(recorder)
    for number in 1...9 { _ = try await client.send(Request<Data>.get("/\(number)")) }
    let har = checked(recorder.har)
    #expect(har.entries.map(\.url.last) == ["1", "2"])
    #expect(har.comment == "7 later exchanges are not recorded: the limit is 10000 bytes.")
    #expect(try HAR(data: har.data()).comment == har.comment)
  }

  @Test func aBodyThatFillsTheRecorderIsCutOff() async throws {
    let recorder = HARRecorder(limit: 3_000)
    stub.stub(
      .get, "/x",
      with: chunks(String(repeating: "a", count: 1_500), String(repeating: "b", count: 1_500), "c"))
    _ = try await client(recorder).send(Request<String>.get("/x"))
    let entry = try #require(checked(recorder.har).entries.first)
    #expect(entry.responseSize == 3_001 && entry.response.body.count < 2_000)
    #expect(entry.response.body.count > 1_500)
    #expect(entry.comment?.hasPrefix("The response's body is cut off after 1") == true)
  }

  @Test func twoRecordersRecordTheSame() async throws {
    let other = HARRecorder { Date(timeIntervalSince1970: 1_800_000_000) }
    stub.stub(.get, "/x", with: chunks("a", "b"))
    #expect(try await client(recorder, other).send(Request<String>.get("/x")) == "ab")
    #expect(recorder.har.entries.count == 1 && recorder.har == other.har)
  }

  @Test func manyTasksOfTwoClientsShareARecorder() async throws {
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
    let clients = [client(recorder), client(recorder)]
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
    let entries = checked(recorder.har).entries
    #expect(Set(entries.map(\.url)).count == 200)
    for entry in entries {
      #expect(
        entry.comment == nil
          && entry.url.hasSuffix(String(decoding: entry.response.body, as: UTF8.self)))
    }
  }

  @Test func aChainWithARecorderIsStillStoppable() async throws {
    let transport = StoppableStub(stub: stub)
    stub.stub(.get, "/x", with: chunks("a"))
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

  @Test func aRecorderShowsNoExchanges() async throws {
    stub.stub(.get, "/x", with: .json("1"))
    _ = try await client().send(Request<Int>.get("/x", query: ["token": "tok-123456"]))
    var text = "\(recorder) \(String(reflecting: recorder))"
    dump(recorder, to: &text)
    #expect(!text.contains("tok-123456"))
  }
}
