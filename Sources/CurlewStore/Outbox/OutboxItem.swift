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
  /// Renewed by each change, so that many items are compared fast.
  var stamp = Stamp()

  final class Stamp: Sendable {}

  var queue: String { stored.queue }
  /// The account that the action belongs to.
  public var account: String? { stored.account }

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
    if one.stamp === other.stamp { return true }
    return one.id == other.id && one.state == other.state && one.stored.state == other.stored.state
      && one.queue == other.queue && one.stored.action == other.stored.action
      && one.entities?.count == other.entities?.count
  }
}
