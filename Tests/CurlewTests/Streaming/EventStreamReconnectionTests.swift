import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// When an event stream reconnects, and from which event.
@Suite(.timeLimit(.minutes(1)))
struct EventStreamReconnectionTests {
  private var (clock, stub) = stubOnTestClock()
  private let endpoint = Request<String>.get("/events")
  private let lost = Client.TransportFailure(.lost, reason: "reset")

  /// Starts reading the events, with waits that are not random.
  private func read(
    _ endpoint: (any Endpoint<String>)? = nil,
    _ change: (inout EventStreamPolicy) -> Void = { _ in }
  ) -> Task<(elements: [ServerSentEvent], error: Client.Error?), Never> {
    var policy = EventStreamPolicy()
    policy.random = { 0 }
    change(&policy)
    let client = Client.stubbed(by: stub) { $0.limits = .endless }
    let endpoint = endpoint ?? self.endpoint
    return Task { [policy] in
      func collect(_ endpoint: some Endpoint<String>) async -> ([ServerSentEvent], Client.Error?) {
        await client.events(endpoint, policy: policy).collect()
      }
      return await collect(endpoint)
    }
  }

  @Test func `after the end it goes on from the last event`() async {
    stub.stub(
      endpoint, with: .events("id:1\ndata:a\n\nid:2\ndata:b\n\nid:3\ndata:c"),
      .events("data:c\n\nid:4\n\nid:5\n"), .status(.noContent))
    let events = read()
    for _ in 0..<2 { await clock.pass(to: stub, .seconds(3)) }
    let (elements, error) = await events.value
    #expect(elements.map(\.data) == ["a", "b", "c"] && error == nil)
    #expect(elements.map(\.id) == ["1", "2", "2"])
    // An ID without data counts, too.
    #expect(stub.requests.map(\.lastEventID) == [nil, "2", "4"])
  }

  @Test func `after a lost connection it goes on from the last event`() async {
    stub.stub(
      endpoint, with: .events("id:ä\ndata:a\n\ndata:b\n", error: lost), .failure(lost),
      .events("data:b\n\n", error: lost), .status(.noContent))
    let events = read()
    for wait in [3, 6, 3] { await clock.pass(to: stub, .seconds(wait)) }
    #expect(await events.value.elements.map(\.data) == ["a", "b"])
    #expect(stub.requests.map(\.lastEventID) == [nil, "ä", "ä", "ä"])
  }

  @Test func `a stream may begin after an earlier event`() async {
    stub.stub(endpoint, with: .events("data:b\n\n"), .events("id\ndata:c\n\n"), .status(.noContent))
    let events = read { $0.lastEventID = "41" }
    for _ in 0..<2 { await clock.pass(to: stub, .seconds(3)) }
    #expect(await events.value.elements.map(\.id) == ["41", ""])
    #expect(stub.requests.map(\.lastEventID) == ["41", "41", nil])
  }

  @Test func `the endpoint is asked for each connection`() async {
    struct Rotating: Endpoint {
      let count = Events<Int>()
      var request: Request<String> {
        count.note(1)
        return .get("/events/\(count.entries.count)")
      }
    }
    stub.stub(.get, "/events/*", with: .events("data:a\n\n"), .status(.noContent))
    let events = read(Rotating())
    await clock.pass(to: stub, .seconds(3))
    _ = await events.value
    #expect(Set(stub.requests.map(\.head.path)).count == 2)
  }

  // MARK: Waits

  @Test func `waits double until an event arrives`() async {
    let refused = StubResponse.failure(Client.TransportFailure(.refused, reason: "refused"))
    stub.stub(
      endpoint, with: refused, refused, .events(""), .events(":hello\n\n"), refused, refused,
      refused, .events("data:a\n\n"), refused, .status(.noContent))
    let events = read()
    for wait in [3, 6, 12, 24, 48, 60, 60, 3, 6] { await clock.pass(to: stub, .seconds(wait)) }
    #expect(await events.value.elements.map(\.data) == ["a"])
  }

  @Test func `the server sets the reconnection time`() async {
    stub.stub(
      endpoint, with: .events("retry: 500\n\n", error: lost), .events("data:a\n\nretry:90000\n"),
      .failure(lost), .status(.noContent))
    let events = read()
    // The last wait exceeds the maximum, because the server asks for it.
    for wait in [0.5, 90, 90] { await clock.pass(to: stub, .seconds(wait)) }
    #expect(await events.value.elements.count == 1)
  }

  @Test func `a reconnection time of zero does not storm the server`() async {
    stub.stub(
      endpoint, with: .events("retry:0\ndata:a\n\n"), .failure(lost), .failure(lost),
      .status(.noContent))
    let events = read()
    for wait in [0.5, 1, 2] { await clock.pass(to: stub, .seconds(wait)) }
    #expect(await events.value.elements.count == 1)
  }

  @Test func `server is asked again after an hour at most`() async {
    stub.stub(
      endpoint, with: .events("retry:3155760000000\ndata:a\n\n"),
      .status(.serviceUnavailable, [.retryAfter: "3155760000"]), .status(.noContent))
    let events = read()
    for wait in [3600, 3600] { await clock.pass(to: stub, .seconds(wait)) }
    #expect(await events.value.elements.count == 1)
  }

  @Test(arguments: ["a\u{1}b", "\tx", "x\t", "a\u{7F}"])
  func `identifier that no field can have is not sent`(id: String) async {
    stub.stub(
      endpoint, with: .events("id:1\ndata:a\n\nid:\(id)\ndata:b\n\n"), .status(.noContent))
    let events = read()
    await clock.pass(to: stub, .seconds(3))
    #expect(await events.value.elements.map(\.id) == ["1", id])
    #expect(stub.requests.map(\.lastEventID) == [nil, "1"])
  }

  @Test(arguments: ["99999999999999999999", "9223372036854775807"])
  func `a reconnection time of ages does not overflow`(time: String) async {
    stub.stub(endpoint, with: .events("retry:\(time)\n"), .failure(lost))
    let waits = Events<Duration>()
    let events = read {
      $0.random = { 1 }
      $0.maximumDelay = .seconds(Int64.max)
      $0.maximumFailures = 40
      $0.willReconnect = { waits.note($1) }
    }
    let century = Duration.seconds(3_155_760_000)
    let error = await clock.advancing(by: century * 10_000) { await events.value.error }
    #expect(error?.transportFailure?.reason == "reset")
    #expect(waits.entries.count == 39 && waits.entries == waits.entries.sorted())
    #expect(waits.entries.last.map { $0 > century } == true)
  }

  @Test(arguments: [(0.5, 3.75), (1, 4.5), (-3, 3), (7, 4.5)])
  func `a random part of half the wait is added`(random: Double, wait: Double) async {
    stub.stub(endpoint, with: .events("data:a\n\n"), .status(.noContent))
    let events = read { $0.random = { random } }
    await clock.pass(to: stub, .seconds(wait))
    _ = await events.value
  }

  @Test func `the waits are the policy's own`() async {
    stub.stub(endpoint, with: .failure(lost))
    let events = read {
      $0.reconnectionTime = .seconds(1)
      $0.maximumDelay = .seconds(3)
      $0.maximumFailures = 5
    }
    for wait in [1, 2, 3, 3] { await clock.pass(to: stub, .seconds(wait)) }
    #expect(await events.value.error?.transportFailure?.kind == .lost)
    #expect(stub.requests.count == 5)
  }

  @Test(arguments: [408, 429, 500, 502, 503, 504])
  func `a transient status is tried again`(code: Int) async {
    stub.stub(
      endpoint, with: .status(HTTPResponse.Status(code: code)),
      .status(HTTPResponse.Status(code: code), [.retryAfter: "20"]), .status(.noContent))
    let events = read()
    for wait in [3, 20] { await clock.pass(to: stub, .seconds(wait)) }
    #expect(await events.value.error == nil)
  }

  @Test(arguments: [
    ("2.0", 3), ("20.5", 20.5), ("soon", 60), ("-1", 60), ("", 3), ("Fri, 15 Jan", 60),
  ])
  func `a wait that can't be read is the longest`(value: String, wait: Double) async {
    stub.stub(endpoint, with: .status(.init(code: 520), [.retryAfter: value]), .status(.noContent))
    let events = read()
    await clock.pass(to: stub, .seconds(wait))
    #expect(await events.value.error == nil)
  }

  // MARK: Ends

  @Test func `attempts without an event are counted`() async {
    stub.stub(
      endpoint, with: .failure(lost), .events("data:a\n\n"), .failure(lost), .events(""))
    let events = read { $0.maximumFailures = 2 }
    for wait in [3, 3, 6] { await clock.pass(to: stub, .seconds(wait)) }
    let (elements, error) = await events.value
    #expect(elements.count == 1 && stub.requests.count == 4)
    #expect(error?.transportFailure?.reason == "the server ended the stream")
    #expect(error?.request == "GET https://api.example.com/events")
  }

  @Test func `with no failures allowed it never reconnects`() async {
    stub.stub(endpoint, with: .events("data:a\n\n", error: lost))
    let (elements, error) = await read { $0.maximumFailures = 0 }.value
    #expect(elements.count == 1 && error?.transportFailure?.reason == "reset")
  }

  @Test func `errors that stay end it`() async {
    stub.stub(
      endpoint, with: .events("data:a\n\n"),
      .failure(Client.TransportFailure(.untrusted, reason: "expired"))
    )
    let events = read()
    await clock.pass(to: stub, .seconds(3))
    let (elements, error) = await events.value
    #expect(elements.count == 1 && error?.transportFailure?.kind == .untrusted)
  }

  @Test func `cancelling ends the wait`() async {
    stub.stub(endpoint, with: .events("data:a\n\n"))
    let events = read()
    await clock.waitForSleepers(1)
    events.cancel()
    #expect(await events.value.error?.isCancelled == true)
    #expect(clock.sleepers == 0 && stub.requests.count == 1)
  }

  @Test func `whoever wants to know is told of each interruption`() async {
    let told = Events<String>()
    stub.stub(
      endpoint, with: .events("data:a\n\n"), .status(.serviceUnavailable), .status(.noContent))
    let events = read {
      $0.willReconnect = { error, wait in
        told.note("\(error.status?.code ?? 0) \(wait / .seconds(1))")
      }
    }
    for wait in [3, 6] { await clock.pass(to: stub, .seconds(wait)) }
    _ = await events.value
    #expect(told.entries == ["0 3.0", "503 6.0"])
  }

  // MARK: Time limits

  @Test func `a silent connection is lost`() async {
    let live = LiveBody()
    stub.stub(endpoint, with: live.response, .status(.noContent))
    live.send("id:1\ndata:a\n\n")
    let client = Client.stubbed(by: stub) {
      $0.limits = .endless
      $0.limits.idle = .seconds(30)
    }
    let events = await client.eventsThatHaveBegun(endpoint)
    #expect(await clock.advancing(by: .seconds(10)) { await events.value } == nil)
    await eventually { live.hasEnded }
    #expect(stub.requests.map(\.lastEventID) == [nil, "1"])
  }

  @Test func `the total time limit ends no stream`() async throws {
    let live = LiveBody()
    stub.stub(endpoint, with: live.response)
    let client = Client.stubbed(by: stub) {
      $0.limits = Limits(firstByte: nil, total: .seconds(60))
    }
    var events = client.events(endpoint).makeAsyncIterator()
    live.send("data:a\n\n")
    #expect(try await events.next(isolation: #isolation)?.data == "a")
    clock.advance(by: .seconds(3_600))
    live.send("data:b\n\n")
    #expect(try await events.next(isolation: #isolation)?.data == "b")
    #expect(stub.requests.count == 1)
  }
}
