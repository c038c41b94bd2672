import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StreamEventTests {
  private let log = EventLog()
  private let stub = StubTransport()
  private let client: Client

  init() { client = .stubbed(by: stub) { [log] in $0.observers = [log] } }

  @Test func `a stream ends when it has been read`() async throws {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .body(first: Data("one".utf8), heldBy: gate))
    let response = try await client.stream(.get("/x"))
    #expect(log.open == 2)
    gate.respondToAll(with: .json("1"))
    for try await _ in response {}
    #expect(
      log.stages() == ["began", "sending", "sent", "head", "bytes", "received", "finished"])
    #expect(log.events.last?.totals.bytes == 3)
    log.expectAllEnded()
  }

  @Test func `a stream that is released ends once and not whole`() async throws {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .body(first: Data("one".utf8), heldBy: gate))
    do {
      let response = try await client.stream(.get("/x"))
      var chunks = response.makeAsyncIterator()
      _ = try await chunks.next()
    }
    await eventually { log.open == 0 }
    #expect(log.problems == [])
    #expect(Set(log.stages().suffix(2)) == ["received", "finished"])
    let ends = log.events.compactMap { event -> Bool? in
      if case .received(3, let isComplete) = event.stage { isComplete } else { nil }
    }
    #expect(ends == [false])
    gate.respondToAll(with: .json("1"))
  }

  @Test func `a stream that is cut fails`() async throws {
    struct Cut: Error {}
    stub.stub(.get, "/x", with: .text("one", error: Cut()))
    let response = try await client.stream(.get("/x"))
    await #expect(throws: Client.Error.self) { for try await _ in response {} }
    #expect(log.stages().suffix(2) == ["lost", "failed"])
    log.expectAllEnded()
  }

  @Test func `a download is one call however often it is cut`() async throws {
    let (folder, clock) = (try TemporaryFolder(), TestClock())
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .data(Data("whole".utf8)))
    let client = Client.stubbed(by: stub) {
      $0.clock = clock
      $0.limits = .endless
      $0.observers = [log]
    }
    let file = folder.url.appending(path: "f")
    let download = Task { try await client.download(Request<Data>.get("/x"), to: file) }
    await eventually { log.first("retrying") != nil }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(100))
    _ = try await download.value
    #expect(Set(log.events.map(\.call)).count == 1)
    #expect(log.events.filter { $0.stage.name == "sending" }.map(\.attempt) == [1, 2])
    log.expectAllEnded()
  }
}
