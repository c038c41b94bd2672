/// The pauses between attempts while a host can't be reached: each is twice as long as the last, up to the longest.
package struct RetryPauses: Sendable {
  private let range: ClosedRange<Duration>
  private var pause: Duration

  package init(_ range: ClosedRange<Duration>) { (self.range, pause) = (range, range.lowerBound) }

  /// Returns the pause before the next attempt.
  package mutating func next() -> Duration {
    defer { pause = min(pause * 2, range.upperBound) }
    return pause
  }

  /// Begins with the shortest pause again, because the host has responded.
  package mutating func reset() { pause = range.lowerBound }
}
