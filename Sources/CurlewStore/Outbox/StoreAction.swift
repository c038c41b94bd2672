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

extension StoreAction {
  static func decode(_ data: Data) throws -> any StoreAction {
    try FastJSONDecoder().decode(Self.self, from: data)
  }

  var conditional: (any ConditionalAction)? { self as? any ConditionalAction }

  func account(in store: Store) -> String? {
    (try? store.client.identity(of: self)).flatMap { store.account(of: $0) }
  }

  func edits(in store: Store) -> EditedData {
    var edit = StoreEdit<Response>(store)
    self.edit(&edit)
    return edit.data
  }

  /// Sends the request with a key, perhaps again.
  func send(by client: Client, _ key: String) async throws(Client.Error) -> any Sendable {
    var request = request.retryable(repeats != .never)
    if repeats == .byKey, let name = HTTPField.Name("Idempotency-Key") {
      request.headerFields[name] = "\"\(key)\""
    }
    return try await client.send(request)
  }
}
