import CurlewJSON
import CurlewScreens
import Foundation

/// An action of a store, and what this process knows about it.
struct OutboxEntry: Identifiable, Sendable {
  var item: OutboxItem
  var record: OutboxRecord
  /// The edits that are shown, perhaps of an action that was replaced.
  private(set) var edits: PendingEdits?
  /// The number of the action's changes, and the number of those whose edits are shown.
  private(set) var changes = 0
  private var shownChanges = 0
  /// Whether this process sends the action, or checks its effect.
  var isBusy = false
  /// Whether the last request may have reached the server without a response.
  var isRepeated = false
  /// Whether this process has stored the action, and none of its requests can have had an effect.
  var isUnsent = false
  /// Whether the action's check has left the decision to the user.
  var isChecked = false
  /// Whether the last response was a conflict, and the action was based on the newer value.
  var isRebased = false

  /// Creates the entry of a new action.
  init(_ action: any StoreAction, _ stored: StoredAction) throws(OutboxError) {
    let id = UUID()
    item = OutboxItem(id: id, state: .waiting(nil), stored: stored)
    record = OutboxRecord(id: id, data: Data())
    isUnsent = true
    self = try changed(to: stored, action)
  }

  /// Decodes a record of this or another process, perhaps of another version of the app.
  init(
    _ record: OutboxRecord, _ stored: StoredAction?, _ types: [String: any StoreAction.Type],
    _ created: [CreatedIDs.Created]
  ) {
    // Without a name, the action is removed at most.
    let stored = stored ?? StoredAction(name: "", queue: record.id.uuidString)
    self.record = record
    item = OutboxItem(id: record.id, state: .unreadable, stored: stored)
    item.action = types[stored.name].flatMap { try? $0.decode(stored.action) }
    guard item.action != nil else { return }
    item.state = stored.state.shown
    resolve(created)
  }

  var id: UUID { item.id }

  /// The queue, unless the action was refused.
  var waitingQueue: String? { isRefused ? nil : item.queue }

  private var isShown: Bool { edits != nil && shownChanges == changes }

  /// Whether the action's edits are not shown, or, if it was refused, its entities are not known.
  var isHidden: Bool { item.action != nil && (isRefused ? item.entities == nil : !isShown) }

  var isRefused: Bool { if case .refused = item.state { true } else { false } }

  /// Whether the action waits for nothing but its turn, and for the actions before it.
  var isReady: Bool {
    guard isShown else { return false }
    return switch item.state {
    case .waiting, .waitingForNetwork, .sending: true
    case .unknown: !isChecked
    case .waitingForSignIn, .conflict, .refused, .unreadable: false
    }
  }

  /// Whether the action can be replaced by another one.
  var isReplaceable: Bool {
    switch item.state {
    case .waiting, .waitingForNetwork, .waitingForSignIn, .conflict, .refused: !isBusy
    case .sending, .unknown, .unreadable: false
    }
  }

  /// The `Idempotency-Key` of the requests.
  var key: String {
    let version = item.stored.version
    return item.id.uuidString + (version == 0 ? "" : "-\(version)")
  }

  mutating func show(_ edits: PendingEdits?) { (self.edits, shownChanges) = (edits, changes) }

  /// Replaces the temporary ids of entities that were created since.
  mutating func resolve(_ created: [CreatedIDs.Created]) {
    let known = created.filter { item.stored.after.contains($0.action) }
    guard !known.isEmpty, var action = item.action else { return }
    action.resolve(CreatedIDs(known: known))
    item.action = action
    item.stored.queue = action.queue
    changes += 1
  }

  /// Keeps what this process has of an action that another process has changed, which has needed the lease if this process
  /// were sending the action.
  mutating func adopt(_ old: Self) {
    (edits, changes, shownChanges) = (old.edits, old.changes, old.shownChanges)
    (isRepeated, item.entities) = (old.isRepeated, old.item.entities)
    if item.stored.action != old.item.stored.action { changes += 1 }
  }

  /// Returns the entry of a changed action.
  func changed(
    to stored: StoredAction, _ action: (any StoreAction)? = nil
  ) throws(OutboxError) -> Self {
    var new = self
    new.item.stored = stored
    do {
      if let action {
        (new.item.action, new.item.stored.queue) = (action, action.queue)
        new.item.stored.action = try JSONEncoder().encode(action)
        new.changes += 1
      }
      new.record = try new.item.stored.record(item.id)
    } catch {
      throw .encoding(error)
    }
    return new
  }
}

/// An action as it is stored.
struct StoredAction: Codable, Equatable {
  enum State: Codable, Equatable {
    case waiting
    /// The request of an action that must not be repeated has left.
    case sent
    /// The server's newer value, encoded.
    case conflict(Data)
    case refused(String)
    /// The server has performed the action, and has given ids to the entities that it inserted.
    case done([CreatedID])

    /// The state as a process shows it that does not send the action.
    var shown: OutboxItem.State {
      switch self {
      case .waiting, .done: .waiting(nil)
      case .sent: .sending
      case .conflict: .conflict
      case .refused(let message): .refused(LoadFailure(message: message))
      }
    }
  }

  let name: String
  var queue: String
  var account: String?
  var date = Date.distantPast
  var action = Data()
  /// The actions after which the action is sent.
  var after: [UUID] = []
  var state = State.waiting
  /// The number of requests of an action that must not be repeated, so that records of different requests differ; for
  /// others, 1 if another process than the one that stored the action may have sent one.
  var requests = 0
  /// The number of newer values that the action was based on, each with another key.
  var version = 0

  var isSent: Bool { requests > 0 }

  func record(_ id: UUID) throws -> OutboxRecord {
    OutboxRecord(id: id, data: try JSONEncoder().encode(self))
  }
}
