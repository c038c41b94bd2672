import Curlew
public import CurlewScreens

/// The value of a store's entry now and whenever it changes: see ``Store/values(of:)``.
public struct StoreValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  let store: Store
  let entry: StoreEntry<Value>
  var isActive = true
  var reason = Store.LoadReason.outdated

  /// Creates an iterator, which observes the entry from its first value until it is released.
  public func makeAsyncIterator() -> Iterator { Iterator(values: self) }

  /// An iterator.
  public struct Iterator: AsyncIteratorProtocol {
    /// The entry to observe; `nil` once it is observed.
    private var values: StoreValues?
    private var consumer: EntryConsumer?
    private var seen = UInt64.max
    /// The last delivered value: a value that changes and changes back is not delivered twice.
    private var last: Loadable<Value>?
    private var isNew = false

    init(values: StoreValues) { self.values = values }

    /// Returns the current value, then the next different value; `nil` when the task is cancelled, and after the
    /// `.idle` of a cleared account.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Loadable<Value>? {
      // Another function handles the values, so that a waiting task reserves no memory for them.
      while let seen = poll(), let consumer {
        if await !consumer.signal.arrive(after: seen), Task.isCancelled { return nil }
      }
      return isNew ? last : nil
    }

    /// Returns the version of the signal to wait for; `nil` if ``last`` is new, or the sequence has ended.
    private mutating func poll() -> UInt64? {
      isNew = false
      do {
        if let values { (consumer, self.values) = (try EntryConsumer(values), nil) }
      } catch {
        return end(with: .failed(LoadFailure(error), last: nil))
      }
      // Without a consumer, the sequence has ended.
      guard let consumer else { return nil }
      let signal = consumer.signal.version
      guard let (value, version) = consumer.present(Value.self) else { return end(with: .idle) }
      // Two versions in a row differ; comparing them would take time.
      let isNext = version == seen &+ 1 && last != nil
      guard version != seen, isNext || value != last else { return signal }
      (seen, last, isNew) = (version, value, true)
      return nil
    }

    private mutating func end(with value: Loadable<Value>) -> UInt64? {
      (values, consumer, last, isNew) = (nil, nil, value, true)
      return nil
    }
  }
}

/// A consumer of an entry, until it is released.
final class EntryConsumer: Sendable {
  let signal: ChangeSignal
  private let store: Store
  private let id: (entry: Int, consumer: Int)

  init<Value>(
    _ values: StoreValues<Value>, _ signal: ChangeSignal = ChangeSignal()
  ) throws(Client.Error) {
    (self.signal, store) = (signal, values.store)
    id = try store.addConsumer(signal, values)
  }

  deinit { store.removeConsumer(id) }

  /// Returns the entry's current value and its version; `nil` if the entry was removed.
  func present<Value: Equatable & Sendable>(_: Value.Type) -> (Loadable<Value>, version: UInt64)? {
    store.change { tables in
      (tables.entries[id.entry] as? EntryStateOf<Value>).map { ($0.present(tables), $0.version) }
    }
  }
}
