import Curlew
public import CurlewScreens

/// The value of a store's entry now and whenever it changes: see ``Store/values(of:)``.
public struct StoreValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  let store: Store
  let entry: StoreEntry<Value>
  var isActive = true
  var reason = Store.LoadReason?.some(.look)

  /// Creates an iterator, which looks at the entry from its first value until it is released.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  /// An iterator.
  public struct Iterator: AsyncIteratorProtocol {
    let values: StoreValues
    private var look: Look?
    private var seen = UInt64.max
    /// A value that changes and changes back is not delivered twice.
    private var last: Loadable<Value>?
    private var hasEnded = false

    init(values: StoreValues) { self.values = values }

    /// Returns the present value, then the next one that differs; `nil` when the task is cancelled, and after the
    /// `.idle` of a cleared account.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Loadable<Value>? {
      guard !hasEnded else { return nil }
      if look == nil {
        do {
          look = try Look(values)
        } catch {
          hasEnded = true
          return .failed(LoadFailure(error), last: nil)
        }
      }
      while let look {
        guard let (value, signal) = values.store.present(look.id, Value.self, seen: &seen) else {
          hasEnded = true
          self.look = nil
          return .idle
        }
        if let value, value != last {
          last = value
          return value
        }
        if await !look.signal.arrive(after: signal), Task.isCancelled { break }
      }
      return nil
    }

    /// Returns the next value.
    public mutating func next() async -> Loadable<Value>? {
      await next(isolation: nil)
    }
  }

  /// A consumer of an entry, until it is released.
  final class Look: Sendable {
    let id: Int
    let signal: ChangeSignal
    private let store: Store
    private let isActive: Bool

    init(_ values: StoreValues) throws(Client.Error) {
      (store, isActive) = (values.store, values.isActive)
      let key = try store.key(of: values.entry)
      (id, signal) = store.look(key, values.entry, isActive: isActive, load: values.reason)
    }

    deinit { store.leave(id, isActive: isActive) }
  }
}
