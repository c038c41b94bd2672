/// The progress of an upload or a download.
public struct TransferProgress: Sendable, Hashable {
  /// The number of bytes so far; for a resumed download, including the bytes of earlier attempts.
  public let completed: Int64
  /// The total number of bytes; `nil` if it is unknown.
  public let total: Int64?
  /// The rate of the last three seconds, in bytes per second; `nil` in the first half second.
  public let bytesPerSecond: Double?

  /// Creates a progress, for previews and tests.
  init(completed: Int64, total: Int64?, bytesPerSecond: Double? = nil) {
    self.completed = completed
    self.total = total
    self.bytesPerSecond = bytesPerSecond
  }

  /// The completed fraction, from 0 to 1; `nil` if the total is unknown.
  public var fraction: Double? {
    total.map { $0 > 0 ? min(1, Double(completed) / Double($0)) : 1 }
  }

  /// The estimated remaining time at the current rate; `nil` if the total or the rate is unknown.
  public var timeLeft: Duration? {
    guard let total, let rate = bytesPerSecond, rate > 0 else { return nil }
    let seconds = max(0, Double(total) - Double(completed)) / rate
    // 1e11 s are more than a thousand years; `Duration` can't represent every number of seconds.
    return seconds < 1e11 ? .seconds(seconds) : nil
  }
}

/// A counter of transferred bytes, which decides when to report the progress.
struct ProgressMeter {
  /// The minimum time between two reports: faster than a user can read, and infrequent enough to be cheap.
  private static let interval = Duration.milliseconds(100)
  /// The time over which the rate is averaged.
  private static let window = Duration.seconds(3)
  /// The minimum time before a rate is reported: buffers accept the first bytes immediately, so an earlier
  /// rate would be too high.
  private static let shortest = Duration.milliseconds(500)

  private var completed: Int64
  private let total: Int64?
  private var reported: Duration?
  private var samples: [(time: Duration, completed: Int64)]

  /// - Parameter completed: The number of bytes of earlier attempts, which don't count for the rate.
  init(completed: Int64 = 0, total: Int64?, now: Duration) {
    self.completed = completed
    self.total = total
    samples = [(now, completed)]
  }

  /// Adds bytes, and returns the progress if a report is due.
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
