public import Foundation
public import Observation
import Synchronization

/// A value that several screens share, such as a session, a badge or a draft.
///
/// ```swift
/// let stars = Shared<Set<String>>([], file: folder.appending(path: "stars.json"))
///
/// // A screen displays the value:
/// func begin(_ state: inout State, _ work: inout Work<State>) { work.follow("stars", stars, \.stars) }
/// // and changes it immediately, until its write has succeeded or failed:
/// work.write("star", editing: stars) { $0.insert(name) } operation: { try await star(name) }
/// ```
///
/// Edits are layers above the last settled value, in the order in which they were made; a failed edit is removed alone. An
/// edit's closure is called again whenever the settled value changes, and must use only its argument. SwiftUI views that
/// read ``value`` are updated when it changes.
public final class Shared<Value: Equatable & Sendable>: Sendable, Observable {
  private let storage: Mutex<SharedLayers<Value>>
  private let changes = ChangeSignal()
  private let registrar = ObservationRegistrar()
  private let file: SharedFile<Value>?

  /// Creates a value that is kept in memory only.
  public init(_ value: Value) {
    storage = Mutex(SharedLayers(value))
    file = nil
  }

  /// Creates a value that is stored in a file, as JSON.
  ///
  /// The file, which belongs to one value of one process and only its user can read (mode 0600), is replaced as a whole
  /// after each settled change. A damaged file is renamed to end in `.damaged`, and the initial value is used instead.
  ///
  /// While the file exists but can't be read, as on an iPhone before its first unlock, the initial value is shown and can
  /// be edited, and the file is read again each second. Then the stored value is shown with these edits, and written.
  ///
  /// - Parameters:
  ///   - value: The initial value, if there is no file.
  ///   - file: The file, or a symbolic link to it; its folder is created if necessary.
  ///   - clock: The clock for reading again.
  ///   - report: A closure called with the error when the file can't be read or written.
  public init(
    _ value: Value, file: URL, clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (any Error) -> Void = { _ in }
  ) where Value: Codable {
    let file = SharedFile<Value>(file, report: report)
    self.file = file
    do {
      storage = Mutex(SharedLayers(try file.read() ?? value))
    } catch {
      var layers = SharedLayers(value)
      let request = layers.beginRequest()
      storage = Mutex(layers)
      report(error)
      Task { @concurrent [weak self] in
        while (try? await clock.sleep(for: .seconds(1))) != nil, self?.load(request) == false {}
      }
    }
  }

  /// Reads the file again; returns whether that was possible.
  private func load(_ request: UInt64) -> Bool {
    guard let stored = try? file.map({ try $0.read() }) else { return false }
    apply { $0.endRequest(request) { if let stored { $0 = stored } } }
    return true
  }

  /// The settled value with the unsettled edits.
  public var value: Value {
    registrar.access(self, keyPath: \.value)
    return shown
  }

  var shown: Value { storage.withLock { $0.shown } }

  /// The current value, then each new value; a slow consumer gets the newest value.
  public var values: SharedValues<Value> { SharedValues(shared: self) }

  /// Changes the value permanently.
  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    apply { $0.settle($0.nextID(), change) }
  }

  /// Changes the value while an operation runs, and permanently if the operation succeeds.
  ///
  /// - Parameters:
  ///   - change: The edit.
  ///   - settled: A closure that changes the value instead of the edit when the operation returns.
  ///   - failed: A closure that changes the value instead of the edit when the operation throws, for example to mark an
  ///     item that the user can send again; by default, the edit is removed.
  ///   - operation: The operation.
  /// - Throws: The error of the operation.
  public func edit<Result>(
    _ change: @escaping @Sendable (inout Value) -> Void,
    settled: (@Sendable (inout Value, Result) -> Void)? = nil,
    failed: (@Sendable (inout Value, any Error) -> Void)? = nil,
    while operation: () async throws -> Result
  ) async throws -> Result where Result: Sendable {
    try await edit(newEdit(), change, settled, failed, operation)
  }

  /// Changes the value with the response to a request, as of the request: pending edits, edits that were settled since,
  /// and responses that were requested later stay above the response.
  ///
  /// - Throws: The error of the request; then the value stays.
  public func receive<Response: Sendable>(
    _ change: @escaping @Sendable (inout Value, Response) -> Void,
    from request: () async throws -> Response
  ) async throws -> Response {
    let number = storage.withLock { $0.beginRequest() }
    var received: (@Sendable (inout Value) -> Void)?
    defer { apply { $0.endRequest(number, received) } }
    let response = try await request()
    received = { change(&$0, response) }
    return response
  }

  /// Returns when all settled changes have been written to the file, or could not be written yet.
  public func saved() async { await file?.pending.finished() }

  // MARK: Edits

  package func newEdit() -> UInt64 { storage.withLock { $0.nextID() } }

  /// Adds an edit; returns a closure that notifies observers, to be called without holding a lock.
  package func begin(
    _ edit: UInt64, _ change: @escaping @Sendable (inout Value) -> Void
  ) -> @Sendable () -> Void { prepare { $0.add(edit, change) } }

  /// Runs an operation with an edit, which may have begun.
  func edit<Result>(
    _ edit: UInt64, _ change: @escaping @Sendable (inout Value) -> Void,
    _ settled: (@Sendable (inout Value, Result) -> Void)?,
    _ failed: (@Sendable (inout Value, any Error) -> Void)?,
    _ operation: () async throws -> Result
  ) async throws -> Result where Result: Sendable {
    begin(edit, change)()
    do {
      let result = try await operation()
      end(edit) { if let settled { settled(&$0, result) } else { change(&$0) } }
      return result
    } catch {
      if let failed { end(edit) { failed(&$0, error) } } else { end(edit, nil) }
      throw error
    }
  }

  /// Replaces an edit by a permanent change, or removes it.
  package func end(_ edit: UInt64, _ change: (@Sendable (inout Value) -> Void)?) {
    apply { layers in
      if let change { layers.settle(edit, change) } else { layers.drop(edit) }
    }
  }

  private func apply(_ body: (inout SharedLayers<Value>) -> Void) { prepare(body)() }

  /// Changes the layers; returns a closure that notifies observers, to be called without holding a lock.
  private func prepare(_ body: (inout SharedLayers<Value>) -> Void) -> @Sendable () -> Void {
    let (isChanged, consumers) = storage.withLock { layers -> (Bool, ChangeSignal.Consumers) in
      let (base, shown) = (layers.base, layers.shown)
      body(&layers)
      if layers.base != base { file?.write(layers.base) }
      return layers.shown == shown ? (false, []) : (true, changes.publish())
    }
    return { [self] in
      consumers.resume()
      if isChanged { registrar.withMutation(of: self, keyPath: \.value) {} }
    }
  }

  fileprivate func next(after seen: inout UInt64, last: Value?) async -> Value? {
    while await changes.arrive(after: seen) {
      let value = storage.withLock { layers in
        seen = changes.version
        return layers.shown
      }
      if value != last { return value }
    }
    return nil
  }
}

/// The current value of a ``Shared``, then each new value.
public struct SharedValues<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  fileprivate let shared: Shared<Value>

  /// Creates an iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(shared: shared) }

  /// An iterator.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let shared: Shared<Value>
    private var seen: UInt64 = 0
    private var last: Value?

    fileprivate init(shared: Shared<Value>) { self.shared = shared }

    /// Returns the next different value; `nil` when the task is cancelled.
    public mutating func next() async -> Value? {
      guard let value = await shared.next(after: &seen, last: last) else { return nil }
      last = value
      return value
    }
  }
}
