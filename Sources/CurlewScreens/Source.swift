public import Foundation
import Synchronization

/// The values that a ready-made screen shows, by their keys: a text, a page's key or an id.
///
/// ```swift
/// Source(asOf: \.date) { id in try await api.note(id) }
/// Source(values: { id in notebook.values(id) })       // a sequence: the stored value, then the current value
/// store.source { id in Notes.entry(id) }
/// ```
///
/// A store's source has changing values: the screen follows the changes of the values that it shows.
public struct Source<Key: Sendable, Value: Sendable>: Sendable {
  /// Loads a value; calls `each` with values as they arrive, until it returns false; returns the last value, or `nil` if
  /// the displayed value is current.
  let load: @Sendable (_ key: Key, _ each: (Dated<Value>) -> Bool) async throws -> Dated<Value>?
  /// The source, if its values change after they have been loaded.
  let live: (any LiveSource<Key, Value>)?

  /// Creates a source of a closure that loads one value.
  ///
  /// - Parameters:
  ///   - asOf: A closure that returns the time at which a value was current; `nil` when it is unknown.
  ///   - load: A closure that loads a value; it returns `nil` when the value does not exist, which is a failure of a
  ///     ``Feed``.
  public init(
    asOf: @escaping @Sendable (Value) -> Date? = { _ in nil },
    _ load: @escaping @Sendable (Key) async throws -> Value?
  ) {
    self.load = { key, _ in
      guard let value = try await load(key) else { throw MissingValue() }
      return Dated(value, asOf: asOf(value))
    }
    live = nil
  }

  /// Creates a source of sequences: the stored value first, and then the current value.
  ///
  /// Until the sequence ends, its values count as loading; an empty sequence keeps the displayed value. A feed's refresh
  /// and a feed's later pages show only the last value.
  ///
  /// - Parameter values: A closure that makes the sequence of a value.
  public init<Values: AsyncSequence & SendableMetatype>(
    values: @escaping @Sendable (Key) async throws -> Values
  ) where Values.Element == Dated<Value>, Values.AsyncIterator: SendableMetatype {
    load = { key, each in
      var last: Dated<Value>?
      for try await value in try await values(key) {
        last = value
        // The load was replaced, cancelled or suspended, so its remaining values are not needed.
        guard each(value) else { break }
      }
      return last
    }
    live = nil
  }

  package init(_ live: any LiveSource<Key, Value>) {
    load = { key, each in try await live.load(key, each) }
    self.live = live
  }

  /// Returns whether an error means that the value does not exist.
  func isMissing(_ error: any Error) -> Bool {
    error is MissingValue || live?.isMissing(error) == true
  }

  /// Returns whether a live source discarded a load, as after a sign-out.
  func hasDiscarded<Result>(_ result: Swift.Result<Result, any Error>) -> Bool {
    if case .failure(is CancellationError) = result { live != nil } else { false }
  }
}

/// A source whose values change after they have been loaded, such as a store's entries; a class, so that a screen is
/// small.
package protocol LiveSource<Key, Value>: AnyObject, Sendable {
  associatedtype Key: Sendable
  associatedtype Value: Sendable

  /// Loads a value, as ``Source/load``.
  func load(_ key: Key, _ each: (Dated<Value>) -> Bool) async throws -> Dated<Value>?
  /// Returns the current value, and the newest value from the server, without pending edits.
  func current(_ key: Key) -> (shown: Loadable<Value>, received: Value?)
  /// Returns the known part of a value.
  func known<Known>(_ key: Key, as type: Known.Type) -> Known?
  /// Returns whether an error means that the value does not exist.
  func isMissing(_ error: any Error) -> Bool
  /// Calls a closure whenever the values of some keys may have changed, until it returns false; loads the first key's
  /// value if it is not fresh when a screen is resumed.
  func follow(_ keys: [Key], isResumed: Bool, _ changed: () -> Bool) async
}

/// The error of a closure that returns no value.
struct MissingValue: Error {}

extension Work {
  /// Changes the state whenever values of a source may have changed, while the stream runs.
  mutating func follow<Key: Sendable, Value>(
    _ id: WorkID, _ keys: [Key], of live: any LiveSource<Key, Value>,
    each: @escaping @Sendable (inout State, inout Work<State>) -> Void
  ) {
    let runs = Atomic<Int>(0)
    start(
      Job(
        id: id, kind: .stream(continuesWhileSuspended: false),
        run: { emit in
          let isResumed = runs.add(1, ordering: .relaxed).oldValue > 0
          await live.follow(keys, isResumed: isResumed) { emit(nil, each) }
          return Job.Outcome(change: { _, _ in })
        }))
  }
}
