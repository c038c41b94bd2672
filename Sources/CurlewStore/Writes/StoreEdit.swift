public import Curlew
public import CurlewScreens
import Foundation

/// The changes that a write makes: visible immediately, wherever the data is shown, until its request has ended.
///
/// ```swift
/// work.perform(GitHub.star(name, isOn), in: store, queue: "star \(name)") { edit in
///   edit.update(Repository.self, name) { $0.isStarred = isOn }
///   edit.invalidate(tag: "starred")
/// }
/// ```
///
/// The closures are called again whenever the server sends a newer value, so they must set values (`isStarred = isOn`).
public struct StoreEdit<Response: Sendable>: Sendable {
  private(set) var data = EditedData()
  // The store of an action contains the action's edits.
  private unowned let store: Store

  init(_ store: Store) { self.store = store }

  /// Changes an entity, or a view of it.
  ///
  /// A row whose whole entity is unknown is changed only by an update of the row's type.
  public mutating func update<View: EntityView>(
    _ type: View.Type, _ id: View.ID, _ change: @escaping @Sendable (inout View) -> Void
  ) {
    data.entities.append(EntityName(type: View.Whole.self, id: id))
    data.changes.append { tables, write in
      tables.edit(write, View.self, id) { shape in
        guard var view = shape.view(View.self) else { return false }
        change(&view)
        // An entity keeps its id, even if the closure changes it.
        if view.id == id { shape.set(view) }
        return true
      }
    }
  }

  /// Changes a shared value, together with the store's data.
  public mutating func update<Value>(
    _ value: Shared<Value>, _ change: @escaping @Sendable (inout Value) -> Void
  ) {
    data.changes.append { tables, write in
      let edit = value.newEdit()
      tables.edit(write, beginning: value.begin(edit, change)) { succeeds in
        value.end(edit, succeeds ? change : nil)
      }
    }
  }

  /// Removes an entity from all lists, until a response that was requested later contains it; an entry whose value is the
  /// entity becomes empty.
  public mutating func remove<View: EntityView>(_ type: View.Type, _ id: View.ID) {
    data.entities.append(EntityName(type: View.Whole.self, id: id))
    data.changes.append { tables, write in
      tables.edit(write, View.self, id) { shape in
        shape.remove()
        return true
      }
    }
  }

  /// Inserts an entity into the lists of an entry whose elements have its type.
  ///
  /// The entity may have a temporary id: with ``receive(_:)``, the server's entity replaces it, and an action replaces its
  /// id (``StoreAction/resolve(_:)``).
  ///
  /// - Parameters:
  ///   - view: The entity, or a view of it.
  ///   - entry: The entry, such as the entry of the list's first page.
  ///   - index: The index in the list: the beginning by default, `.max` for the end.
  public mutating func insert<View: EntityView, Value>(
    _ view: View, into entry: StoreEntry<Value>, at index: Int = 0
  ) {
    editList(entry, View.self, view.id, inserting: view, at: index)
  }

  /// Inserts an entity that the store knows, for example from another list, into the lists of an entry.
  public mutating func insert<View: EntityView, Value>(
    _ type: View.Type, _ id: View.ID, into entry: StoreEntry<Value>, at index: Int = 0
  ) {
    editList(entry, View.self, id, at: index)
  }

  /// Removes an entity from the lists of an entry; it stays elsewhere.
  public mutating func remove<View: EntityView, Value>(
    _ type: View.Type, _ id: View.ID, from entry: StoreEntry<Value>
  ) {
    editList(entry, View.self, id, at: nil)
  }

  /// Adds an edit of a list; does nothing if the entry's request can't be created.
  private mutating func editList<View: EntityView, Value>(
    _ entry: StoreEntry<Value>, _: View.Type, _ id: View.ID, inserting view: View? = nil,
    at index: Int?
  ) {
    data.entities.append(EntityName(type: View.Whole.self, id: id, isInserted: view != nil))
    guard let request = try? store.key(of: entry) else { return }
    data.changes.append { tables, write in
      tables.editList(write, of: request, View.self, id, inserting: view, at: index)
    }
  }

  /// Stores an entity from the response, after success, in place of the write's edits of this entity.
  ///
  /// The entity is as of the sending of the request: edits of other writes that have succeeded since stay visible, and
  /// an entity removed since stays removed. If the closure returns `nil` or throws, or the store knows a value that was
  /// requested later, the write's edits stay instead.
  public mutating func receive<View: EntityView>(
    _ transform: @escaping @Sendable (Response) throws -> View?
  ) {
    data.received.append { response in
      guard let response = response as? Response, let view = (try? transform(response)) ?? nil
      else { return nil }
      let entity = EntityName(type: View.Whole.self, id: view.id)
      return EditedData.Received(entity: entity) { tables, write, number in
        let record = tables.record(of: View.self, view.id, write.account)
        record.receive(view, at: write.sentAt ?? number, from: write.id)
        record.settle(write.id, at: number)
        tables.replaceInserted(write, by: View.self, record)
        tables.touch(record)
        return record
      }
    }
  }

  /// Marks an endpoint's responses as stale after success, in the client's cache too; reloads the entries with active
  /// consumers.
  ///
  /// They are also marked when the outcome is unknown, and after the statuses 404, 409, 410 and 412, which mean that the
  /// known data is outdated (RFC 9110 section 15.5).
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - andBelow: Whether to include all URLs that begin with the endpoint's path, with any query.
  public mutating func invalidate<E: Endpoint>(_ endpoint: E, andBelow: Bool = false) {
    guard let url = try? store.client.identity(of: endpoint).url else { return }
    if andBelow {
      data.stale.paths.append(String(url.prefix { $0 != "?" }))
    } else {
      data.stale.urls.insert(Bytewise(url))
    }
  }

  /// Marks the responses to an entry's request as stale after success: see ``invalidate(_:andBelow:)``.
  public mutating func invalidate<Value>(_ entry: StoreEntry<Value>) {
    if let url = try? store.key(of: entry).url { data.stale.urls.insert(url) }
  }

  /// Marks all entries with a tag as stale after success: see ``invalidate(_:andBelow:)``.
  public mutating func invalidate(tag: String) { data.stale.tags.append(tag) }
}

struct StaleData: Sendable, Equatable {
  var urls: Set<Bytewise> = []
  /// The URLs without queries that are stale with all URLs below them.
  var paths: [String] = []
  var tags: [String] = []
}
