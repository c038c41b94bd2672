/// How much of a body has been sent or received.
public struct TransferProgress: Sendable, Hashable {
  /// The number of bytes so far; for a download that was resumed, with those from before.
  public let completed: Int64
  /// The number of bytes in all; `nil` if it is not known.
  public let total: Int64?
  /// The rate of the last seconds, in bytes per second; `nil` in the first half second.
  public let bytesPerSecond: Double?

  /// Creates a progress, for previews and tests.
  package init(completed: Int64, total: Int64?, bytesPerSecond: Double? = nil) {
    self.completed = completed
    self.total = total
    self.bytesPerSecond = bytesPerSecond
  }

  /// The completed part, from 0 to 1; `nil` if the total is not known.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }

  /// The time that is left at this rate; `nil` if it can't be told.
  public var timeLeft: Duration? {
    guard let total, let rate = bytesPerSecond, rate > 0 else { return nil }
    let seconds = max(0, Double(total) - Double(completed)) / rate
    // More than a thousand years; a duration can't have any number of seconds.
    return seconds < 1e11 ? .seconds(seconds) : nil
  }
}

/// Counts bytes, and decides when to report them.
struct ProgressMeter {
  /// The time between two reports: faster than one can read, and seldom enough to cost nothing.
  private static let interval = Duration.milliseconds(100)
  /// The time that the rate is taken over.
  private static let window = Duration.seconds(3)
  /// The time before the rate says anything: buffers take the first bytes at once.
  private static let shortest = Duration.milliseconds(500)

  private var completed: Int64
  private let total: Int64?
  private var reported: Duration?
  private var samples: [(time: Duration, completed: Int64)]

  /// - Parameter completed: The number of bytes from before, which don't count for the rate.
  init(completed: Int64 = 0, total: Int64?, now: Duration) {
    self.completed = completed
    self.total = total
    samples = [(now, completed)]
  }

  /// Adds bytes; returns a progress if it is time for a report.
  mutating func add(_ count: Int, isLast: Bool, now: Duration) -> TransferProgress? {
    completed += Int64(count)
    if !isLast, let reported, now - reported < Self.interval { return nil }
    reported = now
    samples.append((now, completed))
    while samples.count > 2, now - samples[1].time >= Self.window { samples.removeFirst() }
    let (time, bytes) = (now - samples[0].time, completed - samples[0].completed)
    return TransferProgress(
      completed: completed, total: total,
      bytesPerSecond: time >= Self.shortest ? Double(bytes) / (time / .seconds(1)) : nil)
  }
}
