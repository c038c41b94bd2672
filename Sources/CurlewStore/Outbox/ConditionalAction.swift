import Curlew
import CurlewJSON
import CurlewScreens
import Foundation

/// An action that was made from a value of the server, so that it meets newer values instead of overwriting them.
///
/// ```swift
/// struct EditIssue: ConditionalAction {
///   static let name = "edit-issue"
///   var base: IssueText
///   var title: String
///
///   var entry: StoreEntry<IssueText> { GitHub.text(of: base.id) }
///   var request: Request<Issue> { GitHub.edit(base.id, title, ifMatch: base.version) }
///   …
///   mutating func rebase(on newer: IssueText) -> ActionOutcome? {
///     newer.title == title ? .done : newer.title == base.title ? .send : nil
///   }
/// }
/// ```
///
/// The request names what it is based on, such as with `If-Match` (RFC 9110 section 13.1.1) or in its body. When the server
/// responds with 409 or 412, the store loads the newer value, and calls ``rebase(on:)``.
public protocol ConditionalAction: StoreAction {
  /// The value, or those of its fields that the action concerns.
  associatedtype Base: Codable & Equatable & Sendable
  /// The server's value that the user has seen; the store replaces it by the newer value when the action is sent again.
  var base: Base { get set }
  /// The entry that loads the newest value.
  var entry: StoreEntry<Base> { get }

  /// Changes the action so that it fits a newer value, and returns its outcome: ``ActionOutcome/send`` to send it, based
  /// on the newer value, ``ActionOutcome/done`` if the value already has the effect, such as that of a request whose
  /// response was lost, or `nil` if both have changed the same, which is a conflict for the user
  /// (``OutboxItem/State/conflict``).
  mutating func rebase(on newer: Base) -> ActionOutcome?
}

extension ConditionalAction {
  static func decodeBase(_ data: Data) throws -> Base {
    try FastJSONDecoder().decode(Base.self, from: data)
  }

  /// Returns the same action, based on a newer value that the user has seen.
  func based(on theirs: Data) throws(OutboxError) -> any StoreAction {
    var action = self
    do { action.base = try Self.decodeBase(theirs) } catch { throw .encoding(error) }
    return action
  }

  /// Loads the newest value, and returns its encoding and the action on it; `nil` as the outcome for a conflict.
  func rebased(
    in store: Store
  ) async throws -> (theirs: Data, action: any StoreAction, outcome: ActionOutcome?) {
    let newer = try await store.reload(entry)
    var action = self
    let outcome = action.rebase(on: newer)
    action.base = newer
    return (try JSONEncoder().encode(newer), action, outcome)
  }
}

extension Store {
  /// Loads an entry from the server, and returns its value without edits.
  fileprivate func reload<Value>(_ entry: StoreEntry<Value>) async throws -> Value {
    let key = try key(of: entry)
    _ = try await load(entry, as: .reload) { _ in true }
    // Another consumer may have removed the unused entry.
    guard let value = change({ $0.known(key, as: Value.self)?.value }) else {
      throw CancellationError()
    }
    return value
  }
}
