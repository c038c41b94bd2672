public import CurlewScreens
public import Foundation

/// An action that has not been performed yet, as a screen shows it.
///
/// ```swift
/// let state = store.outbox.value.first { $0.edits(Repository.self, id) }?.state
/// let count = store.outbox.value.count { !$0.needsDecision }
/// ```
public struct OutboxItem: Identifiable, Equatable, Sendable {
  /// The state of an action.
  @nonexhaustive public enum State: Sendable, Equatable {
    /// The action will be sent; after an attempt, with its failure.
    case waiting(LoadFailure?)
    /// The server could not be reached: the action will be sent when the network is back.
    case waitingForNetwork
    /// The request is being sent, perhaps by another process.
    case sending
    /// The server rejected the credentials (401), or the action is of another account than the current one.
    case waitingForSignIn
    /// The response of a request that must not be repeated was lost: its user decides (``Store/decide(_:for:)``), and its queue
    /// waits.
    case unknown
    /// The server has a newer value than the action's base (``conflict(of:)``): its user decides, and its queue waits.
    case conflict
    /// The server refused the action, which is kept to be shown; its edits are removed.
    case refused(LoadFailure)
    /// The action was stored by another version of the app, which can decode it; its queue waits.
    case unreadable
  }

  /// The identity of the action, which is also its `Idempotency-Key`.
  public let id: UUID
  /// The action; `nil` if it is ``State/unreadable``.
  public internal(set) var action: (any StoreAction)?
  /// The state of the action.
  public internal(set) var state: State
  var stored: StoredAction
  /// The entities that the action edits; `nil` before its edits were shown.
  var entities: [EntityName]?

  /// The name of the action's type (``StoreAction/name``).
  public var name: String { stored.name }
  /// The name of the action's queue.
  public var queue: String { stored.queue }
  /// The account that the action belongs to.
  public var account: String? { stored.account }
  /// The time at which the action was stored.
  public var date: Date { stored.date }

  /// Whether the action goes on only after its user's decision (``Store/decide(_:for:)``).
  public var needsDecision: Bool {
    switch state {
    case .unknown, .conflict, .refused, .unreadable: true
    default: false
    }
  }

  /// Returns whether the action edits an entity, or a view of it, such as a list's row.
  public func edits<View: EntityView>(_ type: View.Type, _ id: View.ID) -> Bool {
    entities?.contains { $0.isSame(View.self, id) } ?? false
  }

  /// Returns the user's action and the server's newer value, while the action is in ``State/conflict``: its base is that of
  /// the action.
  public func conflict<Action: ConditionalAction>(
    of type: Action.Type = Action.self
  ) -> (mine: Action, theirs: Action.Base)? {
    guard let mine = action as? Action, case .conflict(let theirs) = stored.state else {
      return nil
    }
    return (try? Action.decodeBase(theirs)).map { (mine, $0) }
  }

  /// Returns whether two items are the same action in the same state.
  public static func == (one: Self, other: Self) -> Bool {
    one.id == other.id && one.state == other.state && one.stored == other.stored
      && one.entities?.count == other.entities?.count
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
  }

  let name: String
  var queue: String
  let account: String?
  var date: Date
  var action: Data
  /// The actions after which the action is sent.
  var after: [UUID] = []
  var state = State.waiting
  /// The number of requests of an action that must not be repeated; for others, 1 if another process may have sent one.
  var requests = 0
  /// The number of newer values that the action was based on, each with another key.
  var version = 0

  func record(_ id: UUID) throws -> OutboxRecord {
    OutboxRecord(id: id, data: try JSONEncoder().encode(self))
  }
}

/// The actions of a store, and the tasks that send them; used under a lock.
struct OutboxState: Sendable {
  struct Entry: Sendable {
    var item: OutboxItem
    var record: OutboxRecord
    /// The edits; `nil` before they are shown, and after they were removed.
    var layers: OutboxLayers?
    /// The edits of the action before it was replaced, still shown.
    var former: OutboxLayers?
    /// Whether edits that take the place of the former ones are being created.
    var isShowing = false
    /// Whether this process sends the action, or checks its effect.
    var isBusy = false
    /// Whether the last request may have reached the server without a response.
    var isRepeated = false
    /// Whether this process has stored the action, and no request can have had an effect.
    var isUnsent = false
    /// Whether the action's check has left the decision to the user.
    var isChecked = false
    /// Whether the last response was a conflict, and the action was based on the newer value.
    var isRebased = false

    /// Whether the action waits for nothing but its turn, and for the actions before it.
    var isReady: Bool {
      guard layers != nil else { return false }
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

    var isRefused: Bool { if case .refused = item.state { true } else { false } }
  }

  /// A task that waits before the next attempt.
  struct Pause: Sendable {
    let waiter: Waiter<Void>
    /// Whether any response from the server ends the pause.
    let isOffline: Bool
  }

  var entries: [Entry] = []
  /// The queues with a task, and those whose task waits before the next attempt.
  var running: Set<String> = []
  var pauses: [String: Pause] = [:]
  /// The positions of the actions in the store's queues, which are exchangeable within a queue.
  var permits: [String: [Waiter<Void>]] = [:]
  /// The number of tasks that use the lease.
  var leases = 0
  /// The ids that performed actions have received, the newest last.
  var created: [CreatedIDs.Created] = []
  /// The removals that could not be stored, to be stored with the next change.
  var unsaved: [OutboxChange] = []

  /// Whether an entry waits for nothing but its turn.
  func isReady(_ entry: Entry) -> Bool {
    entry.isReady && !entry.item.stored.after.contains { index($0) != nil }
  }

  func index(_ id: UUID) -> Int? { entries.firstIndex { $0.item.id == id } }

  /// The index of the first action in a queue that is not refused.
  func first(_ queue: String) -> Int? {
    entries.firstIndex { $0.item.queue == queue && !$0.isRefused }
  }

  /// Stores changes, and earlier removals that could not be stored.
  mutating func save(
    _ changes: [OutboxChange], in storage: any OutboxStorage
  ) throws(OutboxError) {
    let changes = unsaved + changes
    guard !changes.isEmpty else { return }
    do {
      try storage.apply(changes)
      unsaved = []
    } catch {
      throw .storage(error)
    }
  }

  /// The edits of a removed or refused action, and the position in its queue to give up.
  typealias Removed = (layers: OutboxLayers, permit: Waiter<Void>)?

  /// Gives up an entry's position in its queue: the first position for the first entry, so that other writes between the
  /// actions keep their order.
  mutating func takeLayers(_ entry: Entry) -> Removed {
    guard let layers = entry.layers ?? entry.former, var permits = permits[layers.queue],
      !permits.isEmpty
    else { return nil }
    let queue = layers.queue
    let isFirst = first(queue).map { entries[$0].item.id == entry.item.id } ?? true
    let permit = isFirst ? permits.removeFirst() : permits.removeLast()
    self.permits[queue] = permits.isEmpty ? nil : permits
    return (layers, permit)
  }
}
