import Curlew
import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

private enum Local {
  @TaskLocal static var value = 0
}

@Suite(.timeLimit(.minutes(1)))
struct RequestObserverTests {
  private struct Tracing: RequestObserver {
    static let name: HTTPField.Name = "traceparent"

    func observe(_ event: RequestEvent) {}
    func headerFields(for event: RequestEvent) -> [HTTPField] {
      [HTTPField(name: Self.name, value: "\(event.attempt ?? 0)")]
    }
  }

  private let stub = StubTransport()

  @Test func `observers add fields to each request on the wire`() async throws {
    stub.stub(.get, "/x", with: .status(.found, [.location: "/y"]))
    stub.stub(.get, "/y", with: .json("1"))
    let client = Client.stubbed(by: stub) { $0.observers = [Tracing()] }
    _ = try await client.send(Request<Int>.get("/x", headerFields: [Tracing.name: "own"]))
    #expect(stub.requests.map { $0.head.headerFields[values: Tracing.name] } == [["1"], ["2"]])
  }

  @Test func `all observers are told`() async throws {
    let (one, other) = (EventLog(), EventLog())
    stub.stub(.get, "/x", with: .json("1"))
    let client = Client.stubbed(by: stub) { $0.observers = [one, .calling(other.observe)] }
    _ = try await client.send(Request<Int>.get("/x"))
    #expect(one.stages() == other.stages() && one.stages().count == 8)
  }

  /// The observer runs in the caller's task and sees its task-local values.
  @Test func `a call begins in the task of its caller`() async throws {
    let seen = EventLog()
    stub.stub(.get, "/x", with: .json("1"))
    let client = Client.stubbed(by: stub) {
      $0.observers = [
        .calling { if case .began = $0.stage, Local.value == 7 { seen.observe($0) } }
      ]
    }
    try await Local.$value.withValue(7) { _ = try await client.send(Request<Int>.get("/x")) }
    #expect(seen.stages() == ["began"])
  }

  @Test func `events are read in one line`() async throws {
    let log = EventLog()
    let clock = TestClock()
    stub.stub(.get, "/x", with: .json("[1]"))
    let client = Client.stubbed(by: stub) {
      $0.clock = clock
      $0.observers = [log]
    }
    try await Initiator.$current.withValue(Initiator("a test")) {
      _ = try await client.send(Request<[Int]>.get("/x", query: ["token": "hunter2"]))
    }
    #expect(
      log.events.map { "\($0)".drop { $0 != "+" } } == [
        "+0.000 s GET https://api.example.com/x?token=*** for a test",
        "+0.000 s sending", "+0.000 s sent",
        "+0.000 s status 200", "+0.000 s 3 bytes", "+0.000 s received 3 bytes",
        "+0.000 s decoded 3 bytes", "+0.000 s finished: 1 request, 3 bytes",
      ])
  }
}
