import Curlew
import CurlewScreens
import CurlewStore
import Foundation
import HTTPTypes

/// A whole entity.
struct StoryBook: Entity, Codable {
  let id: Int
  var title: Int
  var stars: Int
  var note: Int

  var text: String { "\(id):\(title)*\(stars)/\(note)" }
}

/// A view of the entity with some of its fields.
struct StoryRow: EntityView, Codable {
  let id: Int
  var title: Int

  init(id: Int, title: Int) { (self.id, self.title) = (id, title) }
  init(_ whole: StoryBook) { (id, title) = (whole.id, whole.title) }
  func apply(to whole: inout StoryBook) { whole.title = title }

  var text: String { "\(id):\(title)" }
}

/// An entry of the stories.
struct StoryEntry: Hashable {
  enum Kind: Hashable {
    case book(Int)
    case rows, all
  }

  let account: String
  let kind: Kind

  var path: String {
    switch kind {
    case .book(let id): "/\(account)/books/\(id)"
    case .rows: "/\(account)/rows"
    case .all: "/\(account)/all"
    }
  }

  static let all = ["a", "b"].flatMap { account in
    [.rows, .all, .book(1), .book(2), .book(3)].map { StoryEntry(account: account, kind: $0) }
  }

  static func list(_ account: String) -> StoreEntry<[StoryRow]> {
    StoreEntry(Request.get("/\(account)/rows"), entities: .each(\.self)) { $0 }
  }

  /// The state that a consumer receives.
  struct Shown {
    var text: String?
    var isLoading = false
    /// Whether the same state was received twice in a row.
    var isRepeated = false
  }

  /// Observes the entry until the task is cancelled.
  func observe(_ store: Store, _ show: (Shown) -> Void) async {
    let account = account
    switch kind {
    case .book(let id):
      await observe(
        store,
        StoreEntry(Request<StoryBook>.get("/\(account)/books/\(id)"), entities: .one(\.self)) {
          $0
        },
        show
      ) { $0.text }
    case .rows:
      await observe(store, Self.list(account), show) {
        $0.map(\.text).joined(separator: " ")
      }
    case .all:
      let all = Request<[StoryBook]>.get("/\(account)/all")
      await observe(store, StoreEntry(all, entities: .each(\.self)) { $0 }, show) {
        $0.map(\.text).joined(separator: " ")
      }
    }
  }

  private func observe<Value>(
    _ store: Store, _ entry: StoreEntry<Value>, _ show: (Shown) -> Void, _ text: (Value) -> String
  ) async {
    var last: Loadable<Value>?
    for await value in store.values(of: entry) {
      show(
        Shown(
          text: value.latest.map(text), isLoading: value.isLoading, isRepeated: value == last))
      last = value
    }
  }
}

/// A write of the stories.
struct StoryWrite {
  enum Change {
    case star(Int, Int)
    case note(Int, Int)
    /// Through the whole entity, and through its row.
    case title(Int, Int)
    case rowTitle(Int, Int)
    case remove(Int)
    /// Removes the row from the list.
    case takeOut(Int)
    /// The server assigns another id.
    case insert(StoryRow, at: Int, as: Int)
  }

  let account: String
  let change: Change
  /// One of several queues of the entity, so that its writes overlap.
  let lane: Int
  /// Whether the book in the response is stored.
  let storesResponse: Bool
  let invalidates: Bool

  var id: Int {
    switch change {
    case .star(let id, _), .note(let id, _), .title(let id, _), .rowTitle(let id, _),
      .remove(let id),
      .takeOut(let id):
      id
    case .insert(let row, _, _): row.id
    }
  }

  var queue: String { "\(account) \(id) \(lane)" }

  func perform(_ store: Store, _ number: Int) async -> Bool {
    let endpoint = Request<StoryBook?>(
      .put, "/\(account)/writes/\(number)",
      decoding: ResponseDecoding { data, _, _ in
        data.isEmpty ? nil : try JSONDecoder().decode(StoryBook.self, from: data)
      })
    do {
      try await store.perform(endpoint, queue: queue) { edit in
        switch change {
        case .star(let id, let value): edit.update(StoryBook.self, id) { $0.stars = value }
        case .note(let id, let value): edit.update(StoryBook.self, id) { $0.note = value }
        case .title(let id, let value): edit.update(StoryBook.self, id) { $0.title = value }
        case .rowTitle(let id, let value): edit.update(StoryRow.self, id) { $0.title = value }
        case .remove(let id): edit.remove(StoryBook.self, id)
        case .takeOut(let id): edit.remove(StoryRow.self, id, from: StoryEntry.list(account))
        case .insert(let row, let index, _):
          edit.insert(row, into: StoryEntry.list(account), at: index)
        }
        if storesResponse {
          edit.receive { $0 }
        }
        if invalidates { edit.invalidate(StoryEntry.list(account)) }
      }
      return true
    } catch {
      return false
    }
  }
}
