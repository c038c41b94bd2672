import Curlew
import CurlewSupport

/// The edits of a write until it has ended: visible above the server's values, with a position in the write's queue.
struct PendingEdits<Response: Sendable>: Sendable {
  let write: Int
  private let edit: StoreEdit<Response>
  private let queue: String

  /// Shows the edits of the store's data, and joins the queue.
  ///
  /// - Parameters:
  ///   - permit: The position in the queue; `nil` if it was joined before.
  ///   - former: The write whose edits are replaced, unless it has ended.
  init(
    _ edit: StoreEdit<Response>, queue: String, permit: Waiter<Void>?, account: String?,
    in store: Store, replacing former: Int? = nil
  ) {
    (self.edit, self.queue) = (edit, queue)
    write = store.change { tables in
      if let permit { tables.join(queue, permit) }
      guard let write = tables.beginWrite(account, replacing: former) else { return former ?? 0 }
      for change in edit.changes { change(tables, write) }
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
    defer { hideShared() }
    return store.change { tables in
      defer { tables.releasePermit(queue, permit) }
      return tables.drop(write)
    }
  }

  /// Returns the ids in a response of the entities that the write has inserted with other ids.
  func createdIDs(in response: Response) -> [CreatedID] {
    edit.received.compactMap { $0(response) }.compactMap { entity in
      let drafts = edit.entities.filter { $0.isInserted && $0.type == entity.type }
      guard let draft = drafts.first, Set(drafts.map { AnyHashable($0.id) }).count == 1 else {
        return nil
      }
      return CreatedID(draft, entity)
    }
  }

  /// Removes the edits of shared values.
  func hideShared() { for value in edit.shared { value.end(false) } }
}
