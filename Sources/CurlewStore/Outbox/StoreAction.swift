public import Curlew
import CurlewJSON
import Foundation

/// A write that survives the process: a value that is stored before its edits show, and is sent later, also after a
/// restart.
///
/// ```swift
/// struct StarRepository: StoreAction {
///   static let name = "star-repository"
///   let id: Int
///   let isOn: Bool
///
///   var request: Request<Void> { GitHub.star(id, isOn) }
///   var queue: String { "star \(id)" }
///   var repeats: ActionRepeats { .idempotent }
///   func edit(_ edit: inout StoreEdit<Void>) {
///     edit.update(Repository.self, id) { $0.isStarred = isOn }
///   }
/// }
/// ```
///
/// After a restart, the request and the edits are created again from the decoded value, so they must depend on nothing
/// else. If a new version of the app can't decode an old value, give the new type another ``name``, and keep the old type
/// until its actions are sent.
public protocol StoreAction: Endpoint, Codable {
  /// The name of the type in the storage, which must never change.
  static var name: String { get }
  /// The name of the queue, such as `"star \(id)"`, whose writes are sent one at a time, in order.
  var queue: String { get }
  /// Whether the request may be sent again if its response was lost.
  var repeats: ActionRepeats { get }

  /// Specifies the changes to the store's data, visible until the request has ended.
  func edit(_ edit: inout StoreEdit<Response>)

  /// Replaces the temporary ids of entities that earlier actions create: `issue = ids[Issue.self, issue]`; does nothing by
  /// default.
  mutating func resolve(_ ids: CreatedIDs)

  /// Returns the actions to send instead of an earlier one of the same queue, which waits, and this one: none if they
  /// cancel each other out, such as a star and its removal, or one that has the effect of both; by default, both.
  func collapse(with earlier: Self) -> [Self]

  /// Finds out whether a request that may have reached the server had its effect, for example by loading the entity; `nil`,
  /// the default, lets the user decide.
  ///
  /// It is called for actions that repeat ``ActionRepeats/never``; if it throws, it is called again later.
  func check(in store: Store) async throws -> ActionOutcome?
}

extension StoreAction {
  /// Does nothing.
  public mutating func resolve(_ ids: CreatedIDs) {}
  /// Returns both actions.
  public func collapse(with earlier: Self) -> [Self] { [earlier, self] }
  /// Returns `nil`: the user decides.
  public func check(in store: Store) async throws -> ActionOutcome? { nil }
}

/// Whether an action's request may be sent again if its response was lost.
public enum ActionRepeats: Sendable, Hashable {
  /// The server recognizes repeated requests by their `Idempotency-Key` header field
  /// (draft-ietf-httpapi-idempotency-key-header), which has one value for the life of the action.
  case byKey
  /// Several requests have the effect of one (RFC 9110 section 9.2.2), such as those of `PUT` and `DELETE`.
  case idempotent
  /// Each request may have an effect: after a lost response, the action is ``OutboxItem/State/unknown``.
  case never
}

/// A decision about an action, by its user or by ``StoreAction/check(in:)``.
public enum ActionOutcome: Sendable, Hashable {
  /// The request is sent, or sent again.
  case send
  /// The server has performed the action: its edits stay until newer data arrives.
  case done
  /// The action is removed, with its edits.
  case drop
}

/// The closures of an action whose edits are shown, independent of its type.
struct OutboxLayers: Sendable {
  typealias Settle = @Sendable (Store, _ permit: Waiter<Void>) async -> Void

  let write: Int
  let queue: String
  let permit: Waiter<Void>
  let stale: StaleData
  let entities: [EntityName]
  let hideShared: @Sendable () -> Void
  /// Sends the request with a key, perhaps again; returns the ids of inserted entities, and a closure that settles the edits
  /// with the response.
  let send:
    @Sendable (Store, _ key: String, _ isRepeated: Bool) async throws -> ([CreatedID], Settle)
  /// Settles the edits of an action that the server has performed, without its response.
  let settle: Settle
  let drop: @Sendable (Store, _ permit: Waiter<Void>) -> Void
}

extension StoreAction {
  static func decode(_ data: Data) throws -> any StoreAction {
    try FastJSONDecoder().decode(Self.self, from: data)
  }

  func account(in store: Store) -> String? {
    (try? store.client.identity(of: self)).flatMap { store.account(of: $0) }
  }

  /// Returns the entities that the action edits.
  func entities(in store: Store) -> [EntityName] {
    var edit = StoreEdit<Response>(store)
    self.edit(&edit)
    return edit.entities
  }

  /// Shows the action's edits, perhaps in the place of former edits of the same queue.
  func begin(
    in store: Store, _ account: String?, replacing former: OutboxLayers?
  ) -> OutboxLayers {
    var edit = StoreEdit<Response>(store)
    self.edit(&edit)
    let former = former?.queue == queue ? former : nil
    let permit = former?.permit ?? Waiter<Void>()
    let edits = PendingEdits(
      edit, queue: queue, permit: former == nil ? permit : nil, account: account, in: store,
      replacing: former?.write)
    edits.show()
    former?.hideShared()
    return OutboxLayers(
      write: edits.write, queue: queue, permit: permit, stale: edit.stale, entities: edit.entities,
      hideShared: edits.hideShared
    ) { store, key, isRepeated in
      let now = store.now()
      guard store.change({ $0.sendWrite(edits.write, at: now, isRepeated: isRepeated) }) else {
        throw Client.Error.cancelled
      }
      let response = try await store.client.send(keyed(key))
      return (
        edits.createdIDs(in: response), { await edits.settle(with: response, in: $0, $1) }
      )
    } settle: {
      await edits.settle(with: nil, in: $0, $1)
    } drop: {
      edits.drop(in: $0, $1)
    }
  }

  private func keyed(_ key: String) -> Request<Response> {
    var request = request.retryable(repeats != .never)
    if repeats == .byKey, let name = HTTPField.Name("Idempotency-Key") {
      request.headerFields[name] = "\"\(key)\""
    }
    return request
  }
}
