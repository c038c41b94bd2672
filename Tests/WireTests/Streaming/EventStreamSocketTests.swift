import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Server-sent events over connections that end", .timeLimit(.minutes(1)))
struct EventStreamSocketTests {
  /// Sends the events after the client's last event, and ends each connection in another way.
  private func respond(_ exchange: Exchange, upTo last: Int) async throws {
    let first = (exchange.request["Last-Event-ID"].flatMap { Int($0) } ?? 0) + 1
    guard first <= last else { return try await exchange.respond(204) }
    try await exchange.write(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    func send(_ text: String) async throws {
      try await exchange.write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }
    try await send("retry: 1\n: hello\n\n")
    for number in first..<min(first + 3, last + 1) {
      try await send("id: \(number)\ndata: event ")
      try await send("\(number)\n\n")
    }
    switch first % 4 {
    // In the middle of the next event.
    case 0: try await send("id: \(first + 3)\ndata: half")
    case 1: return try await exchange.write("0\r\n\r\n")
    default: break
    }
    try await exchange.close()
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `nothing is lost and nothing comes twice`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await respond($0, upTo: 40)
    } _: { server in
      let client = try transport.client(server) { $0.clock = HastyClock() }
      var seen: [String] = []
      for try await event in client.events(Request<String>.get("/events")) {
        seen.append("\(event.id) \(event.data)")
      }
      #expect(seen == (1...40).map { "\($0) event \($0)" })
      // More requests where a connection ended before its data was read.
      #expect((15...40).contains(server.requests.count))
      #expect(server.requests.allSatisfy { $0["Accept"] == "text/event-stream" })
    }
  }

  /// The number of connections still to be refused.
  private final class Outage: Sendable {
    let left = Mutex(0)

    func refuses() -> Bool {
      left.withLock { left in
        defer { left = max(0, left - 1) }
        return left > 0
      }
    }
  }

  /// The server is down for a while, and returns on the same port.
  @Test(arguments: TransportUnderTest.allCases)
  func `a restart of the server is survived`(transport: TransportUnderTest) async throws {
    let outage = Outage()
    try await withTestServer { exchange in
      if outage.refuses() { return try await exchange.reset() }
      try await respond(exchange, upTo: 9)
    } _: { server in
      let client = try transport.client(server) { $0.clock = HastyClock() }
      var seen: [String] = []
      for try await event in client.events(Request<String>.get("/events")) {
        seen.append(event.id)
        if event.id == "2" { outage.left.withLock { $0 = 3 } }
      }
      #expect(seen == (1...9).map { "\($0)" })
      #expect(outage.left.withLock { $0 } == 0)
    }
  }
}

/// A clock on which short waits, such as reconnection waits, take a hundredth of their time; time limits take their
/// full time.
private struct HastyClock: Clock {
  private let clock = ContinuousClock()

  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let wait = deadline - now
    try await clock.sleep(for: wait < .seconds(9) ? wait / 100 : wait)
  }
}
