public import Curlew
import Foundation

/// What a write changes: at once, wherever it is shown, until its request has succeeded or failed.
///
/// ```swift
/// work.perform(GitHub.star(name, isOn), in: store, queue: "star \(name)") { edit in
///   edit.update(Repository.self, name) { $0.isStarred = isOn }
///   edit.invalidate(tag: "starred")
/// }
/// ```
///
/// The closures are called again whenever the server sends a newer value, so they set values (`isStarred = isOn`) and use
/// nothing but their argument and what they capture.
public struct StoreEdit<Response: Sendable>: Sendable {
  /// Changes of the tables, for the write with an identity.
  private(set) var changes: [@Sendable (StoreTables, _ write: Int) -> Void] = []
  /// The entities that the response holds.
  private(set) var arrivals: [@Sendable (Response) throws -> ResponseEntity?] = []
  private(set) var invalidations: [Invalidation] = []
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// Changes an entity, or a view of it.
  ///
  /// A row whose entity is not known as a whole is changed only by an update of its own type.
  public mutating func update<View: EntityView>(
    _ type: View.Type, _ id: View.ID, _ change: @escaping @Sendable (inout View) -> Void
  ) {
    changes.append { tables, write in
      tables.edit(write, View.self, id) { shape in
        guard var view = shape.view(View.self) else { return false }
        change(&view)
        // An entity keeps its id, whatever the closure does.
        if view.id == id { shape.set(view) }
        return true
      }
    }
  }

  /// Removes an entity from all lists; where it is shown alone, nothing is shown.
  ///
  /// After success it stays removed until a response that was requested later holds it.
  public mutating func remove<View: EntityView>(_ type: View.Type, _ id: View.ID) {
    changes.append { tables, write in
      tables.edit(write, View.self, id) { shape in
        shape.remove()
        return true
      }
    }
  }

  /// Inserts an entity into the lists of an endpoint's entry whose elements have its type.
  ///
  /// It may have an id of the app's own: with ``receive(_:)``, the server's entity takes its place. Without, it is beside
  /// the server's until the list is loaded again.
  ///
  /// - Parameters:
  ///   - view: The entity, or a view of it.
  ///   - endpoint: The endpoint, such as that of the list's first page.
  ///   - index: The index in the list: the beginning by default, `.max` for the end.
  public mutating func insert<View: EntityView, E: Endpoint>(
    _ view: View, into endpoint: E, at index: Int = 0
  ) {
    guard let request = try? store.key(of: endpoint) else { return }
    changes.append { tables, write in
      tables.editList(write, of: request, View.self, view.id, inserting: view, at: index)
    }
  }

  /// Inserts an entity that the store knows, such as one that a list shows, into the lists of an endpoint's entry whose
  /// elements have its type.
  public mutating func insert<View: EntityView, E: Endpoint>(
    _ type: View.Type, _ id: View.ID, into endpoint: E, at index: Int = 0
  ) {
    guard let request = try? store.key(of: endpoint) else { return }
    changes.append { tables, write in
      tables.editList(write, of: request, View.self, id, at: index)
    }
  }

  /// Takes an entity out of the lists of an endpoint's entry; elsewhere it stays.
  public mutating func remove<View: EntityView, E: Endpoint>(
    _ type: View.Type, _ id: View.ID, from endpoint: E
  ) {
    guard let request = try? store.key(of: endpoint) else { return }
    changes.append { tables, write in
      tables.editList(write, of: request, View.self, id, at: nil)
    }
  }

  /// Takes an entity from the response, after success, in place of the edits that the write has made of it.
  ///
  /// - Parameter transform: A closure that returns the entity; with `nil`, and if it throws, the edits stay.
  public mutating func receive<View: EntityView>(
    _ transform: @escaping @Sendable (Response) throws -> View?
  ) {
    arrivals.append { try transform($0).map { ResponseEntity($0) } }
  }

  /// Marks what is known of an endpoint as out of date after success, in the client's cache too; what somebody looks at
  /// is loaded again.
  ///
  /// - Parameter andBelow: Whether everything is meant whose URL begins with the endpoint's path, whatever its query.
  public mutating func invalidate<E: Endpoint>(_ endpoint: E, andBelow: Bool = false) {
    invalidations.append(.endpoint(endpoint, andBelow: andBelow))
  }

  /// Marks all entries with a tag as out of date after success, in the client's cache too; what somebody looks at is
  /// loaded again.
  public mutating func invalidate(tag: String) { invalidations.append(.tag(tag)) }
}

/// An entity that the response to a write holds.
struct ResponseEntity: Sendable {
  let settle:
    @Sendable (
      StoreTables, _ write: Int, _ number: UInt64, _ account: String?, _ lists: Set<RequestKey>
    ) -> EntityRecord

  init<View: EntityView>(_ view: View) {
    settle = { tables, write, number, account, lists in
      let record = tables.record(of: View.self, view.id, account)
      record.settle(write, at: number, with: view)
      tables.replaceInserted(write, in: lists, by: view, record)
      tables.touch(record)
      return record
    }
  }
}

/// What is out of date after a write.
enum Invalidation: Sendable {
  case endpoint(any Endpoint, andBelow: Bool)
  case tag(String)
}
