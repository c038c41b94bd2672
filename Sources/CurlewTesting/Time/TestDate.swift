public import Foundation
import Synchronization

/// A date that only a test changes, for components that use dates instead of a clock, such as caches.
///
/// ```swift
/// let date = TestDate()
/// let client = Client.stubbed(by: stub) { $0.cache = .memory(now: { date.now }) }
/// date.advance(by: 60)
/// ```
public final class TestDate: Sendable {
  private let date: Mutex<Date>

  /// Creates a date: 15 January 2027 by default.
  public init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
    self.date = Mutex(date)
  }

  /// The date.
  public var now: Date { date.withLock { $0 } }

  /// Advances the date by seconds; negative values set it back.
  public func advance(by seconds: Double) {
    date.withLock { $0 += seconds }
  }
}
