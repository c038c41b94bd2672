public import CurlewScreens
public import Foundation

/// An action that has not been performed yet, as a screen shows it.
///
/// ```swift
/// let state = store.outbox.value.first { $0.queue == "star \(id)" }?.state
/// ```
public struct OutboxItem: Identifiable, Equatable, Sendable {
  /// The state of an action.
  @nonexhaustive public enum State: Sendable, Equatable {
    /// The action will be sent; after an attempt, with its failure.
    case waiting(LoadFailure?)
    /// The request is being sent, perhaps by another process.
    case sending
    /// The server rejected the credentials (401), or the action is of another account than the current one.
    case waitingForSignIn
    /// The response of a request that must not be repeated was lost: its user decides (``Store/decide(_:for:)``), and its queue
    /// waits.
    case unknown
    /// The server refused the action, which is kept to be shown; its edits are removed.
    case refused(LoadFailure)
    /// The action was stored by another version of the app, which can decode it; its queue waits.
    case unreadable
  }

  /// The identity of the action, which is also its `Idempotency-Key`.
  public let id: UUID
  /// The name of the action's type (``StoreAction/name``).
  public let name: String
  /// The name of the action's queue.
  public let queue: String
  /// The account that the action belongs to.
  public let account: String?
  /// The time at which the action was stored.
  public let date: Date
  /// The action; `nil` if it is ``State/unreadable``.
  public let action: (any StoreAction)?
  /// The state of the action.
  public internal(set) var state: State

  /// Returns whether two items are the same action in the same state.
  public static func == (one: Self, other: Self) -> Bool {
    one.id == other.id && one.state == other.state
  }
}

/// An action as it is stored.
struct StoredAction: Codable {
  enum State: Codable, Equatable {
    case waiting
    /// The request of an action that must not be repeated has left.
    case sent
    case refused(String)
  }

  let name: String
  let queue: String
  let account: String?
  let date: Date
  let action: Data
  var state = State.waiting
  /// The number of requests of an action that must not be repeated.
  var requests = 0

  func record(_ id: UUID) throws -> OutboxRecord {
    OutboxRecord(id: id, data: try JSONEncoder().encode(self))
  }
}

/// The actions of a store, and the tasks that send them; used under a lock.
struct OutboxState: Sendable {
  struct Entry: Sendable {
    var item: OutboxItem
    /// The action as it is stored; `nil` if even that can't be decoded.
    var stored: StoredAction?
    var record: OutboxRecord
    /// The edits; `nil` before they are shown, and after they were removed.
    var layers: OutboxLayers?
    /// Whether this process sends the action, or checks its effect.
    var isBusy = false
    /// Whether an earlier request may have reached the server.
    var isRepeated = false
    /// Whether the action's check has left the decision to the user.
    var isChecked = false

    /// Whether the action waits for nothing but its turn.
    var isReady: Bool {
      guard layers != nil else { return false }
      return switch item.state {
      case .waiting, .sending: true
      case .unknown: !isChecked
      case .waitingForSignIn, .refused, .unreadable: false
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
  /// The removals that could not be stored, to be stored with the next change.
  var unsaved: [OutboxChange] = []

  func index(_ id: UUID) -> Int? { entries.firstIndex { $0.item.id == id } }

  /// The index of the first action in a queue that is not refused.
  func first(_ queue: String) -> Int? {
    entries.firstIndex { $0.item.queue == queue && !$0.isRefused }
  }

  /// Stores changes, and earlier removals that could not be stored.
  mutating func save(
    _ changes: [OutboxChange], in storage: any OutboxStorage
  ) throws(OutboxError) {
    do {
      try storage.apply(unsaved + changes)
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
    let queue = entry.item.queue
    guard let layers = entry.layers, var permits = permits[queue], !permits.isEmpty else {
      return nil
    }
    let isFirst = first(queue).map { entries[$0].item.id == entry.item.id } ?? true
    let permit = isFirst ? permits.removeFirst() : permits.removeLast()
    self.permits[queue] = permits.isEmpty ? nil : permits
    return (layers, permit)
  }
}
