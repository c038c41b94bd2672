import Synchronization

/// The schedule of newly opened issues: in a watched repository, an issue is opened every four
/// seconds; numbers start at 1.
final class OpenedIssues: Sendable {
  private static let pause = 4
  /// More than the number of issues in a day; greater event IDs are not from the sandbox.
  static let most = 30_000

  private let elapsed: @Sendable () -> Duration
  /// The time of the fictitious issue 0 of each repository.
  private let starts = Mutex<[Int: Duration]>([:])

  init(clock: any Clock<Duration>) { elapsed = Self.stopwatch(clock) }

  /// Returns the number of the first issue for a watcher: the successor of its last known issue,
  /// which may be from before a restart; otherwise the first of the newest three issues.
  func watch(_ repository: Repository, after last: Int?) -> Int {
    let last = last.flatMap { (0...Self.most).contains($0) ? $0 : nil }
    // An issue known to a watcher was opened, even if this process doesn't know it.
    let start = elapsed() - .seconds(Self.pause * (last ?? 0))
    starts.withLock { $0[repository.id] = min($0[repository.id] ?? start, start) }
    return last.map { $0 + 1 } ?? max(1, count(in: repository) - 2)
  }

  /// Returns the number of issues opened in a repository.
  func count(in repository: Repository) -> Int {
    guard let start = starts.withLock({ $0[repository.id] }) else { return 0 }
    return Int((elapsed() - start).components.seconds) / Self.pause
  }

  /// Returns the time at which an issue is opened, relative to the start of the sandbox.
  func time(of index: Int, in repository: Repository) -> Duration {
    (starts.withLock { $0[repository.id] } ?? .zero) + .seconds(Self.pause * index)
  }

  /// Returns the time until an issue is opened; negative if it is already open.
  func wait(for index: Int, in repository: Repository) -> Duration {
    time(of: index, in: repository) - elapsed()
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
