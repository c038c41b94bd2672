import Synchronization

/// When issues are opened in repositories: one every four seconds since somebody watches, numbered
/// from 1.
final class OpenedIssues: Sendable {
  private static let pause = 4
  /// More than a day's: a greater number is not one of ours.
  static let most = 30_000

  private let elapsed: @Sendable () -> Duration
  /// When the issue 0 of a repository, which there is not, was opened.
  private let starts = Mutex<[Int: Duration]>([:])

  init(clock: any Clock<Duration>) { elapsed = Self.stopwatch(clock) }

  /// Returns the number of the first issue that a watcher gets: the one after the last that it knows,
  /// maybe from before a restart, or else the first of up to three that are there.
  func watch(_ repository: Repository, after last: Int?) -> Int {
    let last = last.flatMap { (0...Self.most).contains($0) ? $0 : nil }
    // What a watcher knows was opened, whatever this process knows of it.
    let start = elapsed() - .seconds(Self.pause * (last ?? 0))
    starts.withLock { $0[repository.id] = min($0[repository.id] ?? start, start) }
    return last.map { $0 + 1 } ?? max(1, count(in: repository) - 2)
  }

  /// The number of issues that were opened in a repository.
  func count(in repository: Repository) -> Int {
    guard let start = starts.withLock({ $0[repository.id] }) else { return 0 }
    return Int((elapsed() - start).components.seconds) / Self.pause
  }

  /// When an issue is opened, measured on the clock since the sandbox was started.
  func time(of index: Int, in repository: Repository) -> Duration {
    (starts.withLock { $0[repository.id] } ?? .zero) + .seconds(Self.pause * index)
  }

  /// How long it takes until an issue is opened; negative when it is there.
  func wait(for index: Int, in repository: Repository) -> Duration {
    time(of: index, in: repository) - elapsed()
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
