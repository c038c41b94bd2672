import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Events in the system's log and Instruments, for the parts that are common to all systems.
@Suite(.timeLimit(.minutes(1)))
struct SystemLogTests {
  private let stub = StubTransport()
  private let log = EventLog()

  private func client(_ middleware: [any Middleware] = []) -> Client {
    Client.stubbed(by: stub) { ($0.observers, $0.middleware) = ([log], middleware) }
  }

  private func importance(_ response: StubResponse) async -> RequestEvent.LogImportance? {
    stub.stub(.get, "/x", with: response)
    _ = try? await client().send(Request<Int>.get("/x"))
    return log.events.last?.importance
  }

  @Test func `only a defect is an error`() async {
    #expect(await importance(.json("1")) == .info)
    #expect(await importance(.status(.notFound)) == .notice)
    #expect(await importance(.failure(Client.TransportFailure(.lost, reason: "gone"))) == .notice)
    #expect(
      await importance(.failure(Client.TransportFailure(.untrusted, reason: "pin"))) == .error)
    #expect(await importance(.json(#""a""#)) == .error)
    #expect(log.events.filter { $0.importance == .debug }.count > 10)
  }

  @Test func `each interval begins and ends once`() async throws {
    stub.stub(.get, "/x", with: .status(.found, [.location: "/y"]))
    stub.stub(.get, "/y", with: .failure(Client.TransportFailure(.lost, reason: "gone")))
    for _ in 0..<2 {
      _ = try? await client([.retrying(attempts: 2)]).send(Request<Int>.get("/x"))
    }
    var open: Set<[UInt64]> = []
    var begun: Set<[UInt64]> = []
    for signpost in log.events.compactMap(\.signpost) {
      let key = [signpost.isAttempt ? 1 : 0, signpost.id]
      if signpost.isBegin {
        #expect(open.insert(key).inserted)
        begun.insert(key)
      } else {
        #expect(open.remove(key) != nil)
      }
    }
    // Two calls with four requests each.
    #expect(open == [] && begun.count == 10)
  }
}
