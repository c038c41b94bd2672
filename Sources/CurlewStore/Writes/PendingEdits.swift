import Curlew
import CurlewSupport

/// The edits of a write until it has ended: visible above the server's values, with a position in the write's queue.
struct PendingEdits<Response: Sendable>: Sendable {
  let write: Int
  private let edit: StoreEdit<Response>
  private let queue: String

  /// Shows the edits of the store's data, and joins the queue.
  init(
    _ edit: StoreEdit<Response>, queue: String, permit: Waiter<Void>, account: String?,
    in store: Store
  ) {
    (self.edit, self.queue) = (edit, queue)
    write = store.change { tables in
      let write = tables.beginWrite(account)
      for change in edit.changes { change(tables, write) }
      tables.join(queue, permit)
      return write.id
    }
  }

  /// Shows the edits of shared values.
  func show() { for value in edit.shared { value.begin() } }

  /// Settles the edits, and leaves the queue.
  ///
  /// - Parameter response: The response; `nil` if only its success is known.
  func settle(with response: Response?, in store: Store, _ permit: Waiter<Void>) async {
    let arrivals = response.map { response in edit.arrivals.compactMap { $0(response) } } ?? []
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
    store.announce(StaleData(urls: edited))
    await store.invalidate(edit.stale, before: number)
  }

  /// Removes the edits, and leaves the queue; returns false if the write's account was cleared.
  @discardableResult
  func drop(in store: Store, _ permit: Waiter<Void>) -> Bool {
    defer { for value in edit.shared { value.end(false) } }
    return store.change { tables in
      defer { tables.releasePermit(queue, permit) }
      return tables.drop(write)
    }
  }
}
