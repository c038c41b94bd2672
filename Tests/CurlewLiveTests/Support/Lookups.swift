import CurlewLive

/// Looks texts up without end, and reports when a lookup begins and when it is cancelled.
final class Lookups: Sendable {
  enum Change {
    case begun, cancelled
  }

  private let changes = AsyncStream<Change>.makeStream()

  func page() throws -> NotesPage { try NotesPage(Notes { await self.lookUp($0) }) }

  func lookUp(_ text: String) async -> String {
    changes.continuation.yield(.begun)
    for await _ in AsyncStream<Never>(unfolding: { await Self.never() }) {}
    changes.continuation.yield(.cancelled)
    return text
  }

  /// Returns when its task is cancelled.
  private static func never() async -> Never? {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    return nil
  }

  func next() async -> Change? { await changes.stream.first { _ in true } }
}
