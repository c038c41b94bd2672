import Curlew
import CurlewObservability
import CurlewTesting
import InMemoryLogging
import Logging
import Synchronization
import Testing

@Suite("A log has a level", .timeLimit(.minutes(1)))
struct LoggingTests {
  private let stub = StubTransport()

  private func client(
    _ log: LogStore, at level: Logger.Level = .info,
    configure: (inout Client.Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub) {
      $0.observers = [.logging(log.logger, at: level)]
      configure(&$0)
    }
  }

  @Test func `A program chooses the level of a successful call`() async throws {
    stub.stub(.get, "/item", with: .item)
    let log = LogStore(.trace)
    _ = try await client(log, at: .trace).send(.item)
    #expect(log.lines.map(\.level) == [.trace])
  }

  final class Reads: CustomStringConvertible, Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }
    var description: String {
      number.add(1, ordering: .relaxed)
      return "a"
    }
  }

  /// The initiator's text is created on demand, so counting its reads shows whether a line was created.
  @Test(arguments: [(Logger.Level.info, 1), (.notice, 0)])
  func `A level that is off costs no text`(level: Logger.Level, reads: Int) async throws {
    stub.stub(.get, "/item", with: .status(.serviceUnavailable), .item)
    let (log, initiator) = (LogStore(level), Reads())
    let client = client(log) { $0.middleware = [.retryingAtOnce()] }
    _ = try await Initiator.$current.withValue(Initiator(initiator, of: Int.self)) {
      try await client.send(.item)
    }
    #expect(initiator.count == reads)
    #expect(log.lines.count == reads)
  }
}
