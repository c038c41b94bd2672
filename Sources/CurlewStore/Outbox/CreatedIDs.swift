import CurlewJSON
import Foundation

/// The ids that the server has given to entities which actions have inserted with temporary ids.
///
/// ```swift
/// mutating func resolve(_ ids: CreatedIDs) { issue = ids[Issue.self, issue] }
/// ```
///
/// An action that asks for the id of an entity that is not created yet is sent after the action that creates it.
public struct CreatedIDs {
  /// The known ids, by the actions that have received them, the newest last.
  private let known: [Created]
  /// Returns the action that will create an entity.
  private let creator: ((EntityName) -> Bool) -> UUID?
  private let asked = Asked()

  typealias Created = (action: UUID, account: String?, ids: [CreatedID])

  private final class Asked {
    var actions: [UUID] = []
  }

  /// The actions that create entities that were asked for.
  var actions: [UUID] { asked.actions }

  init(known: [Created], creator: @escaping ((EntityName) -> Bool) -> UUID? = { _ in nil }) {
    (self.known, self.creator) = (known, creator)
  }

  /// Returns the id of an entity, or of a view of it: the same id unless it is a temporary id of a created entity.
  public subscript<View: EntityView>(_ type: View.Type, _ id: View.ID) -> View.ID
  where View.ID: Codable {
    if let action = creator({ $0.isSame(View.self, id) }) {
      asked.actions.append(action)
      return id
    }
    guard !known.isEmpty, let encoded = CreatedID.encode(id) else { return id }
    let (type, ids) = (String(reflecting: View.Whole.self), known.flatMap(\.ids))
    return ids.last { $0.type == type && $0.temporary == encoded }
      .flatMap { try? FastJSONDecoder().decode(View.ID.self, from: $0.id) } ?? id
  }
}

/// The id that the server has given to an entity, as it is stored.
struct CreatedID: Codable, Equatable {
  let type: String
  let temporary: Data
  let id: Data

  init?(_ temporary: EntityName, _ entity: EntityName) {
    guard let old = Self.encode(temporary.id), let new = Self.encode(entity.id), old != new else {
      return nil
    }
    (type, self.temporary, id) = (String(reflecting: entity.type), old, new)
  }

  static func encode(_ id: any Sendable) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (id as? any Encodable).flatMap { try? encoder.encode($0) }
  }
}

/// The identity of an entity of any type.
struct EntityName: Sendable {
  let type: any Entity.Type
  let id: any Hashable & Sendable
  /// Whether the entity is inserted by its action.
  var isInserted = false

  func isSame<View: EntityView>(_: View.Type, _ id: View.ID) -> Bool {
    type == View.Whole.self && AnyHashable(self.id) == AnyHashable(id)
  }
}
