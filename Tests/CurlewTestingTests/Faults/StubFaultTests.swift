import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// What a client sees of each fault on a stub: what a correct transport makes of it.
@Suite("Faults on a stub", .timeLimit(.minutes(1)))
struct StubFaultTests {
  private static let closed = "the connection was closed before the response was complete"
  private static let reset = "the connection was reset before the response was complete"

  private let clock = TestClock()
  private let stub: StubTransport
  private let client: Client

  init() {
    stub = StubTransport(clock: clock)
    client = .stubbed(by: stub)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let response: StubResponse
    /// The value, the limit that was exceeded, or the reason of a transport's failure.
    let outcome: Result<String, Failure>

    struct Failure: Error, Equatable {
      let reason: String
    }

    init(_ name: String, _ faults: Fault..., value: String) {
      testDescription = name
      response = .sample(Sample(body: Data("abcdef".utf8))).with(faults)
      outcome = .success(value)
    }

    init(_ name: String, _ faults: Fault..., fails reason: String) {
      testDescription = name
      response = .sample(Sample(body: Data("abcdef".utf8))).with(faults)
      outcome = .failure(Failure(reason: reason))
    }
  }

  static let cases = [
    Case("cut in the body", .cut(after: 3), fails: closed),
    Case("cut after the head", .cut(after: 0), fails: closed),
    Case("cut in the head", .cut(after: .head(8)), fails: closed),
    Case("cut before the response", .cut(after: .nothing), fails: closed),
    Case("cut after the response", .cut(after: .everything), value: "abcdef"),
    Case("cut of a chunked body", .chunked(), .cut(after: 6), fails: closed),
    Case("cut of a close-delimited body", .closeDelimited, .cut(after: 3), value: "abc"),
    Case("reset in the body", .reset(after: 3), fails: reset),
    Case("reset before the response", .reset(after: .nothing), fails: reset),
    Case("reset of a close-delimited body", .closeDelimited, .reset(after: 3), fails: reset),
    Case("reset after the response", .reset(after: .everything), value: "abcdef"),
    Case("length too long", .contentLength(tooLongBy: 2), fails: closed),
    Case("length too short", .contentLength(tooShortBy: 2), value: "abcd"),
    Case(
      "length that is no number", .contentLength("-1"),
      fails: "the response is not HTTP (Content-Length: -1)"),
    Case(
      "two lengths", .contentLength("6, 7"),
      fails: "the response is not HTTP (Content-Length: 6, 7)"),
    Case("the same length twice", .contentLength("6, 6"), value: "abcdef"),
    Case("extra bytes", .extraBytes("HTTP/1.1 500 \r\n\r\n"), value: "abcdef"),
    Case("close-delimited", .closeDelimited, value: "abcdef"),
    Case("HTTP/1.0", .http10, value: "abcdef"),
    Case("chunks", .chunked(every: 4), value: "abcdef"),
    Case("trailers", .trailers([.eTag: "\"a\""]), value: "abcdef"),
    Case(
      "no size", .brokenChunk(.size("xyz")),
      fails: "the response is not HTTP (\"xyz\" is not the size of a chunk)"),
    Case(
      "a negative size", .brokenChunk(.size("-6")),
      fails: "the response is not HTTP (\"-6\" is not the size of a chunk)"),
    Case(
      "size overflow", .hugeChunk,
      fails: "the response is not HTTP (\"10000000000000001\" is not the size of a chunk)"),
    Case("huge chunk", .hugeChunk(announcing: 64 << 20), fails: closed),
    Case(
      "no line end", .chunked(every: 4), .brokenChunk(.noLineEnd),
      fails: "the response is not HTTP (no line end after a chunk)"),
    Case("no last chunk", .brokenChunk(.noLastChunk), fails: closed),
    Case("interim responses", .interim(100), .interim(102), .interim(103), value: "abcdef"),
    Case("no reason phrase", .noReasonPhrase, value: "abcdef"),
    Case("no space either", .statusLine("HTTP/1.1 200"), value: "abcdef"),
    Case(
      "no status line", .statusLine("ICY 200 OK"),
      fails: "the response is not HTTP (\"ICY 200 OK\" is not a status line)"),
    Case(
      "no header field", .headLine("no colon"),
      fails: "the response is not HTTP (\"no colon\" is not a header field)"),
    Case(
      "endless fields", .endless(.headerFields),
      fails: "headerSize"),
    Case(
      "endless interim responses", .endless(.interim),
      fails: "headerSize"),
    Case(
      "endless trailers", .endless(.trailers),
      fails: "headerSize"),
    Case(
      "another response first",
      .preceded(by: .raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")),
      value: "x"),
    Case("another response after it", .followed(by: .json("x")), value: "abcdef"),
  ]

  @Test(arguments: cases)
  func clientSeesWhatACorrectTransportMakesOfIt(one: Case) async throws {
    stub.stub(.get, "/x", with: one.response, .json("next"))
    switch (await client.result(of: Request<String>.get("/x")), one.outcome) {
    case (.success(let value), .success(let expected)): #expect(value == expected)
    case (.failure(.transport(let failure)), .failure(let expected)):
      #expect(failure.reason == expected.reason)
      #expect(failure.request == "GET https://api.example.com/x")
    case (.failure(.tooLarge(let failure)), .failure(let expected)):
      #expect(failure.limit.rawValue == expected.reason)
    case (let result, let expected): Issue.record("\(result), not \(expected)")
    }
    // Whatever was wrong with a connection, the next request gets one that is sound.
    let next = try await client.send(Request<String>.get("/x"))
    #expect(next == "next")
  }

  @Test func whatComesBeforeALossIsHandedOut() async throws {
    stub.stub(.get, "/x", with: .json("[1, 2]").with(.chunked(every: 2), .reset(after: 5)))
    let response = try await send(.get, "/x")
    #expect(response.head.status == .ok)
    #expect(response.head.headerFields[.contentType] == "application/json")
    var text = ""
    let error = await #expect(throws: (any Error).self) {
      for try await piece in response.body { text += String(decoding: piece, as: UTF8.self) }
    }
    #expect(text == "[1, 2")
    #expect(error.map { "\($0)" } == Self.reset)
  }

  @Test func endlessBodyIsTooLarge() async throws {
    stub.stub(
      .get, "/x", with: .json("1").with(.endless(.body)),
      .json("1").with(.chunked(), .endless(.body)))
    for _ in 0..<2 {
      guard case .failure(.tooLarge) = await client.result(of: Request<Data>.get("/x")) else {
        Issue.record("It had an end.")
        return
      }
    }
  }

  @Test func aResponseToHEADHasNoBody() async throws {
    stub.stub(.head, "/x", with: .json("1").with(.chunked(), .cut(after: .everything)))
    try await client.send(Request<Void>.head("/x"))
  }

  // MARK: Time

  @Test func slowBodyArrivesPieceByPieceOnTheClock() async throws {
    stub.stub(.get, "/x", with: .json("[1, 2]").with(.slow(bytesPerSecond: 20)))
    let response = try await send(.get, "/x")
    let arrived = Pieces()
    let reading = Task {
      for try await piece in response.body { arrived.add(piece) }
    }
    for (count, text) in ["[1", "[1, ", "[1, 2]"].enumerated() {
      await clock.waitForSleepers()
      #expect(arrived.count == count)
      clock.advance(by: .milliseconds(100))
      await arrived.wait(for: count + 1)
      #expect(arrived.text == text)
    }
    try await reading.value
  }

  @Test(arguments: [.nothing, .head(10), 3] as [Fault.Position])
  func aPauseHoldsTheResponse(position: Fault.Position) async throws {
    let endpoint = Request<String>.get("/x").limits {
      ($0.firstByte, $0.idle, $0.total) = (nil, nil, nil)
    }
    stub.stub(endpoint, with: .json("abcdef").with(.pause(.seconds(3), after: position)))
    let task = Task { [client] in try await client.send(endpoint) }
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(2_999))
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await task.value == "abcdef")
  }

  @Test(arguments: [.nothing, .head(10)] as [Fault.Position])
  func silenceBeforeTheBodyEndsWithTheLimitOfTheFirstByte(position: Fault.Position) async throws {
    let failure = try await silence(after: position, until: .seconds(30)) { $0.total = nil }
    #expect(failure?.limit == .firstByte)
  }

  @Test(arguments: [0, 3] as [Fault.Position])
  func silenceInTheBodyEndsWithTheLimitOfTheWhole(position: Fault.Position) async throws {
    let failure = try await silence(after: position, until: .seconds(60)) {
      $0.firstByte = nil
      $0.idle = nil
    }
    #expect(failure?.limit == .total)
  }

  private func silence(
    after position: Fault.Position, until limit: Duration,
    _ limits: @escaping @Sendable (inout Limits) -> Void
  ) async throws -> Client.TimeoutFailure? {
    stub.stub(.get, "/x", with: .json("abcdef").with(.silence(after: position)))
    let task = Task { [client] in
      await client.result(of: Request<String>.get("/x").limits(limits))
    }
    await stub.waitForRequests(1)
    await clock.waitForSleepers()
    clock.advance(by: limit)
    guard case .failure(.timeout(let failure)) = await task.value else { return nil }
    return failure
  }

  @Test func silenceAfterTheResponseIsNotHeard() async throws {
    stub.stub(.get, "/x", with: .json("1").with(.silence(after: .everything)))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
  }

  @Test func silenceIsCancelled() async throws {
    stub.stub(.get, "/x", with: .json("1").with(.noResponse))
    let task = Task { [client] in await client.result(of: Request<Int>.get("/x")) }
    await stub.waitForRequests(1)
    task.cancel()
    guard case .failure(.cancelled) = await task.value else {
      Issue.record("Not cancelled: \(await task.value)")
      return
    }
  }

  @Test func aTooLongLengthCanBeWaitedFor() async throws {
    stub.stub(
      .get, "/x",
      with: .json("1").with(.contentLength(tooLongBy: 1), .silence(after: .everything)))
    let task = Task { [client] in await client.result(of: Request<Int>.get("/x")) }
    await stub.waitForRequests(1)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    guard case .failure(.timeout) = await task.value else {
      Issue.record("No timeout: \(await task.value)")
      return
    }
  }

  @Test func faultsAddUpThroughAGate() async throws {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .held(by: gate).with(.chunked()))
    gate.respond(with: .json("abc").with(.cut(after: 3)))
    guard case .failure(.transport) = await client.result(of: Request<String>.get("/x")) else {
      Issue.record("It did not fail.")
      return
    }
  }

  private func send(
    _ method: HTTPRequest.Method, _ path: Path
  ) async throws -> IncomingResponse {
    let endpoint = Request<Void>(method, path, decoding: .discarded)
    return try await stub.send(
      OutgoingRequest(
        head: HTTPRequest(
          method: method, scheme: "https", authority: "api.example.com", path: path.description),
        endpoint: endpoint))
  }
}
