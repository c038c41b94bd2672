public import Curlew
import CurlewScreens
import HTTPTypes
import Synchronization

/// A write in two steps, for a screen that does not know the store: its edits are shown first, and its request is sent
/// later.
///
/// ```swift
/// let write = store.write(GitHub.star(id, isOn), queue: "star \(id)") { edit in … }
/// work.write("star \(id)", begin: { write.begin() }) { try await write.finish() }
/// ```
///
/// After ``begin()``, the edits stay until ``finish()`` is called and ends. If the write is released instead, it is not
/// sent, and its edits are removed.
public final class StoreWrite<E: Endpoint>: Sendable {
  private let store: Store
  private let endpoint: E
  private let queue: String
  private let edit: StoreEdit<E.Response>
  private let state = Mutex(State())
  /// Ends when all earlier writes of the queue have finished.
  private let permit = Waiter<Void>()

  private struct State {
    /// The write's number; `nil` before it has begun.
    var write: Int?
    var isFinishing = false
  }

  init(_ endpoint: E, in store: Store, queue: String, _ edit: (inout StoreEdit<E.Response>) -> Void)
  {
    (self.endpoint, self.store, self.queue) = (endpoint, store, queue)
    var edits = StoreEdit<E.Response>(store)
    edit(&edits)
    self.edit = edits
  }

  deinit {
    guard let write = state.withLock({ $0.isFinishing ? nil : $0.write }) else { return }
    drop(write)
    store.writes.end()
  }

  /// Shows the edits, and joins the queue; does nothing when called again.
  public func begin() {
    let isFirst = state.withLock { state in
      guard state.write == nil else { return false }
      store.writes.begin()
      let account = (try? store.client.identity(of: endpoint)).flatMap { store.account(of: $0) }
      state.write = store.change { tables in
        let write = tables.beginWrite(account)
        for change in edit.changes { change(tables, write) }
        tables.join(queue, permit)
        return write.id
      }
      return true
    }
    if isFirst { for value in edit.shared { value.begin() } }
  }

  /// Sends the request when the earlier writes of the queue have finished, and settles the edits, or removes them after
  /// a failure; calls ``begin()`` if necessary; call it once.
  ///
  /// - Returns: The response.
  /// - Throws: `Client.Error`; cancelling the task removes the edits, although the server may have performed the write. A
  ///   write that fails after its account was cleared throws `.cancelled`.
  @discardableResult
  public func finish() async throws(Client.Error) -> E.Response {
    begin()
    defer { store.writes.end() }
    let begun = state.withLock { state in
      state.isFinishing = true
      return state.write
    }
    guard let write = begun else { throw .cancelled }
    let response: E.Response
    let arrivals: [StoreTables.Arrival]
    do {
      try await permit.value()
      // The account may have been cleared.
      let now = store.now()
      guard store.change({ $0.sendWrite(write, at: now) }) else { throw Client.Error.cancelled }
      response = try await store.client.send(endpoint)
      // The server has performed the write, even if its response can't be used.
      arrivals = edit.arrivals.compactMap { $0(response) }
    } catch {
      let isCleared = !drop(write)
      if (error as? Client.Error)?.status != nil { store.change { store.serverResponded($0) } }
      // The failure is not shown to the next user.
      let error = isCleared ? .cancelled : error as? Client.Error ?? .cancelled
      if error.hasUnknownOutcome { await store.invalidate(edit.stale) }
      throw error
    }
    let now = store.now()
    let (number, edited) = store.change { tables in
      let number = tables.nextNumber(now)
      let edited = tables.settle(write, at: number, storing: arrivals)
      tables.releasePermit(queue, permit)
      store.serverResponded(tables)
      return (number, edited)
    }
    for value in edit.shared { value.end(true) }
    // The cached responses predate the write, so they are outdated even if they are fresh.
    if !edited.isEmpty { await store.client.configuration.cache?.invalidate(edited) }
    await store.invalidate(edit.stale, before: number)
    return response
  }

  /// Removes the edits, and leaves the queue; returns false if the write's account was cleared.
  @discardableResult
  private func drop(_ write: Int) -> Bool {
    defer { for value in edit.shared { value.end(false) } }
    return store.change { tables in
      defer { tables.releasePermit(queue, permit) }
      return tables.drop(write)
    }
  }
}

extension Client.Error {
  /// Whether the server may have performed a failed write, or has other data than the app.
  fileprivate var hasUnknownOutcome: Bool {
    switch self {
    case .status: [404, 409, 410, 412].contains(status?.code)
    case .transport(let failure):
      ![.nameNotResolved, .unreachable, .refused, .untrusted, .tls].contains(failure.kind)
    case .timeout(let failure): failure.limit != .connect
    case .cancelled, .decoding, .tooLarge: true
    default: false
    }
  }
}

extension Store {
  /// Sends a write's request, and edits the store's data: immediately, wherever it is shown.
  ///
  /// If the request succeeds, the edits stay until the server sends newer data; if it fails, only these edits are
  /// removed. In a screen, use `CurlewScreens.Work.perform(_:in:queue:edit:started:finished:)`.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint of the request, which is sent once.
  ///   - queue: The name of the queue, such as `"star \(name)"`, whose writes are sent one at a time, in order.
  ///   - edit: A closure that specifies the changes.
  /// - Returns: The response.
  /// - Throws: The error of ``StoreWrite/finish()``.
  @discardableResult
  public func perform<E: Endpoint>(
    _ endpoint: E, queue: String, edit: (inout StoreEdit<E.Response>) -> Void = { _ in }
  ) async throws(Client.Error) -> E.Response {
    try await write(endpoint, queue: queue, edit: edit).finish()
  }

  /// Returns a write that has not begun; it behaves like a write of ``perform(_:queue:edit:)``.
  public func write<E: Endpoint>(
    _ endpoint: E, queue: String, edit: (inout StoreEdit<E.Response>) -> Void = { _ in }
  ) -> StoreWrite<E> {
    StoreWrite(endpoint, in: self, queue: queue, edit)
  }

  /// Marks data as stale, first in the client's cache, and then reloads the entries with active consumers.
  ///
  /// - Parameter number: The number before which requested data is stale; by default, of a request sent now.
  func invalidate(_ stale: StaleData, before number: UInt64? = nil) async {
    guard stale != StaleData() else { return }
    let (number, urls) = change { tables in
      (
        number ?? tables.nextNumber(now()),
        stale.tags.reduce(into: stale.urls) { $0.formUnion(tables.urls(tagged: $1)) }
      )
    }
    await client.configuration.cache?.invalidate(urls, below: stale.paths)
    change { tables in
      for entry in tables.entries.values.sorted(by: { $0.id < $1.id })
      where urls.contains(entry.request.url)
        || stale.paths.contains(where: entry.request.isAtOrBelow)
      {
        entry.staleSince = max(entry.staleSince, number)
        if entry.isActive, entry.transfer == nil {
          request(entry, tables, isReload: false, isShown: false)
        }
      }
    }
  }
}
