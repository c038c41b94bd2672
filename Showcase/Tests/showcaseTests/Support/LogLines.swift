import Synchronization
import showcase

/// A log that stores its lines.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  /// The lines without their times.
  var timeless: [String] { all.map { String($0.drop { $0 != " " }.dropFirst()) } }

  var log: Log { Log { line in self.lines.withLock { $0.append(line) } } }
}
