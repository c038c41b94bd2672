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
  var known: [Created] = []
  /// The entities that will be created, and their actions.
  var pending: [(action: UUID, entity: EntityName)] = []
  private let asked = Asked()

  typealias Created = (action: UUID, account: String?, ids: [CreatedID])

  private final class Asked {
    var actions: [UUID] = []
  }

  /// The actions that create entities that were asked for.
  var actions: [UUID] { asked.actions }

  init(known: [Created]) { self.known = known }

  init(_ state: OutboxState, _ account: String?) {
    known = state.created.filter { $0.account == account }
    for item in state.entries.lazy.map(\.item) where item.account == account {
      for entity in item.entities ?? [] where entity.isInserted {
        pending.append((item.id, entity))
      }
    }
  }

  /// Returns the id of an entity, or of a view of it: the same id unless it is a temporary id of a created entity.
  public subscript<View: EntityView>(_ type: View.Type, _ id: View.ID) -> View.ID
  where View.ID: Codable {
    if let draft = pending.last(where: { $0.entity.isSame(View.self, id) }) {
      asked.actions.append(draft.action)
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
