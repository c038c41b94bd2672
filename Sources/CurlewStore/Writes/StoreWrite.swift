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
  private let data: EditedData
  private let state = Mutex(State())
  /// Ends when all earlier writes of the queue have finished.
  private let permit = Waiter<Void>()

  private struct State {
    /// The edits; `nil` before the write has begun.
    var edits: PendingEdits?
    var isFinishing = false
  }

  init(_ endpoint: E, in store: Store, queue: String, _ edit: (inout StoreEdit<E.Response>) -> Void)
  {
    (self.endpoint, self.store, self.queue) = (endpoint, store, queue)
    var edits = StoreEdit<E.Response>(store)
    edit(&edits)
    data = edits.data
  }

  deinit {
    guard let edits = state.withLock({ $0.isFinishing ? nil : $0.edits }) else { return }
    edits.drop(in: store, permit)
    store.writes.end()
  }

  /// Shows the edits, and joins the queue; does nothing when called again.
  public func begin() {
    let resumptions = state.withLock { state -> [@Sendable () -> Void] in
      guard state.edits == nil else { return [] }
      store.writes.begin()
      let account = (try? store.client.identity(of: endpoint)).flatMap { store.account(of: $0) }
      let (edits, resumptions) = store.access {
        PendingEdits(data, queue: queue, permit: permit, account: account, in: $0)
      }
      state.edits = edits
      return resumptions
    }
    for resume in resumptions { resume() }
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
      return state.edits
    }
    guard let edits = begun else { throw .cancelled }
    let response: E.Response
    do {
      try await permit.value()
      // The account may have been cleared.
      let now = store.now()
      guard store.change({ $0.sendWrite(edits.write, at: now) }) else {
        throw Client.Error.cancelled
      }
      response = try await store.client.send(endpoint)
    } catch {
      let isCleared = !edits.drop(in: store, permit)
      if (error as? Client.Error)?.status != nil { store.change { store.serverResponded($0) } }
      // The failure is not shown to the next user.
      let error = isCleared ? .cancelled : error as? Client.Error ?? .cancelled
      if error.hasUnknownOutcome { await store.invalidate(data.stale) }
      throw error
    }
    await edits.settle(with: response, in: store, permit)
    return response
  }
}

extension Client.Error {
  /// Whether the server may have performed a failed write, or has other data than the app.
  var hasUnknownOutcome: Bool {
    switch self {
    case .status: [404, 409, 410, 412].contains(status?.code)
    case .decoding, .tooLarge: true
    default: hasLostResponse
    }
  }

  /// Whether a request may have reached the server, whose response did not arrive.
  var hasLostResponse: Bool {
    switch self {
    case .transport(let failure):
      ![.nameNotResolved, .unreachable, .refused, .untrusted, .tls].contains(failure.kind)
    case .timeout(let failure): failure.limit != .connect
    case .cancelled: true
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
  /// - Parameters:
  ///   - stale: The data.
  ///   - number: The number before which requested data is stale; by default, of a request sent now.
  ///   - isAnnounced: Whether the stores of other servers are told.
  func invalidate(
    _ stale: StaleData, before number: UInt64? = nil, isAnnounced: Bool = true
  ) async {
    guard stale != StaleData() else { return }
    let (number, urls) = change { tables in
      (
        number ?? tables.nextNumber(now()),
        stale.tags.reduce(into: stale.urls) { $0.formUnion(tables.urls(tagged: $1)) }
      )
    }
    if isAnnounced { announce(StaleData(urls: urls, paths: stale.paths)) }
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
