import Curlew
import CurlewSupport

/// The changes of a write, independent of the type of its response.
struct EditedData: Sendable {
  var changes: [@Sendable (StoreTables, StoreTables.Write) -> Void] = []
  /// Return an entity in a response.
  var received: [@Sendable (_ response: any Sendable) -> Received?] = []
  var stale = StaleData()
  var entities: [EntityName] = []

  struct Received {
    let entity: EntityName
    let settle: StoreTables.Arrival
  }

  /// Returns the ids in a response of the entities that the write has inserted with other ids.
  func createdIDs(in response: any Sendable) -> [CreatedID] {
    received.compactMap { $0(response)?.entity }.compactMap { entity in
      let drafts = entities.filter { $0.isInserted && $0.type == entity.type }
      guard let draft = drafts.first, Set(drafts.map { AnyHashable($0.id) }).count == 1 else {
        return nil
      }
      return CreatedID(draft, entity)
    }
  }
}

/// The edits of a write until it has ended: visible above the server's values, with a position in the write's queue.
struct PendingEdits: Sendable {
  let write: Int
  let data: EditedData
  let queue: String

  /// Shows the edits, and joins the queue.
  ///
  /// - Parameters:
  ///   - permit: The position in the queue; `nil` if it was joined before.
  ///   - former: The write whose edits are replaced, unless it has ended.
  init(
    _ data: EditedData, queue: String, permit: Waiter<Void>?, account: String?,
    replacing former: Int? = nil, in tables: StoreTables
  ) {
    (self.data, self.queue) = (data, queue)
    if let permit { tables.join(queue, permit) }
    let begun = tables.beginWrite(account, replacing: former)
    write = begun?.id ?? former ?? 0
    if let begun { for change in data.changes { change(tables, begun) } }
  }

  /// Settles the edits, and leaves the queue.
  ///
  /// - Parameter response: The response; `nil` if only its success is known.
  func settle(
    with response: (any Sendable)?, in store: Store, _ permit: Waiter<Void>
  ) async {
    let arrivals =
      response.map { response in data.received.compactMap { $0(response)?.settle } } ?? []
    let now = store.now()
    let (number, edited) = store.change { tables in
      let number = tables.nextNumber(now)
      let edited = tables.settle(write, at: number, storing: arrivals)
      tables.releasePermit(queue, permit)
      store.serverResponded(tables)
      return (number, edited)
    }
    // The cached responses predate the write, so they are outdated even if they are fresh.
    if !edited.isEmpty { await store.client.configuration.cache?.invalidate(edited) }
    store.announce(StaleData(urls: edited))
    await store.invalidate(data.stale, before: number)
  }

  /// Removes the edits, and leaves the queue; returns false if the write's account was cleared.
  @discardableResult
  func drop(in store: Store, _ permit: Waiter<Void>) -> Bool {
    store.change { tables in
      defer { tables.releasePermit(queue, permit) }
      return tables.drop(write)
    }
  }
}
