import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Tests exchanges that end without a complete response, or are too large.
@Suite(.timeLimit(.minutes(1)))
struct HARRecorderEndingTests {
  private let clock = TestClock()
  private let stub: StubTransport
  private let recorder = HARRecorder { Date(timeIntervalSince1970: 1_800_000_000) }

  init() { stub = StubTransport(clock: clock) }

  @Test func `a request without a response has status zero and a reason`() async throws {
    stub.stub(
      .get, "/x", with: .failure(Client.TransportFailure(.refused, reason: "connection refused")))
    _ = await Client.recorded(by: recorder, stub: stub).result(of: Request<Int>.get("/x"))
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(entry.response.status.code == 0)
    #expect(entry.failure == "GET https://api.example.com/x: connection refused")
    let text = String(decoding: recorder.har.data(), as: UTF8.self)
    #expect(text.contains(#""_error" : "GET https://api.example.com/x: connection refused""#))
    #expect(text.contains(#""status" : 0"#) && text.contains(#""statusText" : """#))
    #expect(try HAR(data: recorder.har.data()).entries.isEmpty)
  }

  @Test func `a body that fails has what arrived and a reason`() async throws {
    stub.stub(
      .get, "/x",
      with: .chunks("one", "two", error: Client.TransportFailure(.other, reason: "reset")))
    _ = await Client.recorded(by: recorder, stub: stub).result(of: Request<String>.get("/x"))
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(entry.response.body == Data("onetwo".utf8) && entry.response.status == .ok)
    #expect(entry.failure == "GET https://api.example.com/x: reset")
  }

  @Test func `a stream is passed on chunk by chunk`() async throws {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .body(first: Data("a".utf8), heldBy: gate, piece: Data("b".utf8)))
    let client = Client.recorded(by: recorder, stub: stub) {
      ($0.limits.idle, $0.limits.firstByte) = (nil, nil)
    }
    let response = try await client.stream(Request<Data>.get("/x"))
    var chunks = response.makeAsyncIterator()
    #expect(recorder.har.entries.first?.comment == "The response's body was still arriving.")
    #expect(recorder.har.entries.first?.response.body == Data())
    #expect(try await chunks.next() == Data("a".utf8))
    // The next chunk was not requested yet.
    #expect(gate.held.isEmpty && recorder.har.entries.first?.response.body == Data("a".utf8))
    gate.respond(with: .status(.ok))
    #expect(try await chunks.next() == Data("b".utf8))
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(entry.response.body == Data("ab".utf8))
    #expect(entry.comment == "The response's body was still arriving.")
  }

  @Test func `a body that is released unread is not whole`() async throws {
    stub.stub(.get, "/x", with: .chunks("one", "two"))
    var response: StreamedResponse? = try await Client.recorded(by: recorder, stub: stub).stream(
      Request<Data>.get("/x"))
    var iterator = response?.makeAsyncIterator()
    #expect(try await iterator?.next() == Data("one".utf8))
    (response, iterator) = (nil, nil)
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(entry.comment == "The response's body was not read to its end.")
    #expect(entry.response.body == Data("one".utf8) && entry.failure == nil)
  }

  @Test func `a cancelled request is recorded as cancelled`() async throws {
    let gate = stub.hold(.get, "/x")
    let client = Client.recorded(by: recorder, stub: stub)
    let task = Task { await client.result(of: Request<Int>.get("/x")) }
    await gate.waitForRequests(1)
    #expect(recorder.checkedHAR().entries.first?.comment == "The response had not arrived yet.")
    #expect(recorder.har.entries.first?.response.status.code == 0)
    task.cancel()
    _ = await task.value
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(entry.failure == "cancelled" && entry.comment == nil)
  }

  @Test func `long bodies are cut off`() async throws {
    let recorder = HARRecorder(bodyLimit: 4)
    stub.stub(.post, "/x", with: .chunks("abc", "def", "ghi"), .json("1234567"), .json("1234"))
    let client = Client.recorded(by: recorder, stub: stub)
    let post = Request<String>.post("/x", body: .data(Data("12345".utf8)))
    #expect(try await client.send(post) == "abcdefghi")
    _ = try await client.send(post)
    _ = try await client.send(Request<String>.post("/x", body: .data(Data("1234".utf8))))
    let har = recorder.checkedHAR()
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

  @Test func `a full recorder keeps the oldest and counts the others`() async throws {
    let recorder = HARRecorder(limit: 10_000)
    stub.stub(
      .get, "/**", with: .data(Data(repeating: 1, count: 4_000)))
    let client = Client.recorded(by: recorder, stub: stub)
    for number in 1...9 { _ = try await client.send(Request<Data>.get("/\(number)")) }
    let har = recorder.checkedHAR()
    #expect(har.entries.map(\.url.last) == ["1", "2"])
    #expect(har.comment == "7 later exchanges are not recorded: the limit is 10000 bytes.")
    #expect(try HAR(data: har.data()).comment == har.comment)
  }

  @Test func `a body that fills the recorder is cut off`() async throws {
    let recorder = HARRecorder(limit: 3_000)
    stub.stub(
      .get, "/x",
      with: .chunks(String(repeating: "a", count: 1_500), String(repeating: "b", count: 1_500), "c")
    )
    _ = try await Client.recorded(by: recorder, stub: stub).send(Request<String>.get("/x"))
    let entry = try #require(recorder.checkedHAR().entries.first)
    #expect(entry.responseSize == 3_001 && entry.response.body.count < 2_000)
    #expect(entry.response.body.count > 1_500)
    #expect(entry.comment?.hasPrefix("The response's body is cut off after 1") == true)
  }
}
