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
    editList(try? store.key(of: endpoint), View.self, view.id, inserting: view, at: index)
  }

  /// Inserts an entity into the lists of an entry whose elements have its type: see ``insert(_:into:at:)``.
  public mutating func insert<View: EntityView, Value>(
    _ view: View, into entry: StoreEntry<Value>, at index: Int = 0
  ) {
    editList(try? store.key(of: entry), View.self, view.id, inserting: view, at: index)
  }

  /// Inserts an entity that the store knows, such as one that a list shows, into the lists of an endpoint's entry whose
  /// elements have its type.
  public mutating func insert<View: EntityView, E: Endpoint>(
    _ type: View.Type, _ id: View.ID, into endpoint: E, at index: Int = 0
  ) {
    editList(try? store.key(of: endpoint), View.self, id, at: index)
  }

  /// Inserts an entity that the store knows into the lists of an entry whose elements have its type.
  public mutating func insert<View: EntityView, Value>(
    _ type: View.Type, _ id: View.ID, into entry: StoreEntry<Value>, at index: Int = 0
  ) {
    editList(try? store.key(of: entry), View.self, id, at: index)
  }

  /// Takes an entity out of the lists of an endpoint's entry; elsewhere it stays.
  public mutating func remove<View: EntityView, E: Endpoint>(
    _ type: View.Type, _ id: View.ID, from endpoint: E
  ) {
    editList(try? store.key(of: endpoint), View.self, id, at: nil)
  }

  /// Takes an entity out of the lists of an entry; elsewhere it stays.
  public mutating func remove<View: EntityView, Value>(
    _ type: View.Type, _ id: View.ID, from entry: StoreEntry<Value>
  ) {
    editList(try? store.key(of: entry), View.self, id, at: nil)
  }

  /// Adds an edit of a request's list; a request that can't be made has none.
  private mutating func editList<View: EntityView>(
    _ request: RequestKey?, _: View.Type, _ id: View.ID, inserting view: View? = nil, at index: Int?
  ) {
    guard let request else { return }
    changes.append { tables, write in
      tables.editList(write, of: request, View.self, id, inserting: view, at: index)
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
  /// So it is when the outcome is not known, and when the server says that what was known is out of date: 404, 409, 410,
  /// 412 (RFC 9110 section 15.5).
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint whose entries and cached responses are invalidated.
  ///   - andBelow: Whether everything is meant whose URL begins with the endpoint's path, whatever its query.
  public mutating func invalidate<E: Endpoint>(_ endpoint: E, andBelow: Bool = false) {
    invalidations.append(.endpoint(endpoint, andBelow: andBelow))
  }

  /// Marks what is known of an entry's request as out of date after success: see ``invalidate(_:andBelow:)``.
  public mutating func invalidate<Value>(_ entry: StoreEntry<Value>) {
    if let url = try? store.key(of: entry).url { invalidations.append(.url(url)) }
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
  case url(String)
  case tag(String)
}
