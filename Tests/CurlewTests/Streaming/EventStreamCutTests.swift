import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A stream whose connections are cut anywhere: every event arrives, once and in order.
@Suite(.timeLimit(.minutes(10)))
struct EventStreamCutTests {
  private static let count = 40

  /// The stream after an event, as a server sends it.
  private static func stream(after id: Int) -> Data {
    let events = (id..<count).map { number in
      let end = ["\n", "\r", "\r\n"][number % 3]
      let lines = ["id: \(number + 1)", "data: ä \(number)", ":", "data", ""]
      return lines.map { $0 + end }.joined()
    }
    return Data(("\u{FEFF}" + events.joined()).utf8)
  }

  @Test(arguments: 0..<Fuzz.size(20, full: 1_000)) func nothingIsLostOverCuts(round: Int) async {
    let clock = TestClock()
    let stub = StubTransport(clock: clock)
    let random = SharedGenerator(Fuzz.seed() + UInt64(round))
    stub.stub(
      .get, "/events",
      with: .responding { request in
        let id = request.lastEventID.flatMap { Int($0) } ?? 0
        guard id < Self.count else {
          return IncomingResponse(head: HTTPResponse(status: .noContent), body: ResponseBody())
        }
        if random.int(in: 0..<8) == 0 {
          throw Client.TransportFailure(.refused, reason: "restarting")
        }
        let whole = Self.stream(after: id)
        let cut = whole.prefix(random.int(in: 0..<min(whole.count + 1, 300)))
        var generator = SeededGenerator(seed: UInt64(random.int(in: 0..<1_000)))
        let chunks = generator.cut(cut)
        let isLost = random.int(in: 0..<2) == 0
        return IncomingResponse(
          head: HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]),
          body: ResponseBody {
            var rest = chunks[...]
            return {
              if let chunk = rest.popFirst() { return chunk }
              if isLost { throw Client.TransportFailure(.lost, reason: "reset") }
              return nil
            }
          })
      })
    let client = Client.stubbed(by: stub) { $0.limits = .endless }
    let advancing = Task {
      while !Task.isCancelled {
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(90))
        await Task.yield()
      }
    }
    let (events, error) = await client.events(Request<String>.get("/events")).collect()
    advancing.cancel()
    #expect(error == nil)
    #expect(events.map(\.data) == (0..<Self.count).map { "ä \($0)\n" })
    #expect(events.map(\.id) == (1...Self.count).map { "\($0)" })
  }
}
