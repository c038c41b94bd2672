package import Curlew
package import CurlewStore

/// A book of the stories.
package struct StarredBook: Entity, Codable {
  package let id: Int
  package var stars = 0
  package var title = 0
  /// The number of changes on the server.
  package var version = 0

  package init(id: Int) { self.id = id }

  package static func path(_ account: String, _ id: Int) -> String { "/\(account)/books/\(id)" }

  package static func entry(_ account: String, _ id: Int) -> StoreEntry<StarredBook> {
    StoreEntry(
      Request<StarredBook>.get(.init(stringLiteral: path(account, id))), entities: .one(\.self)
    ) { $0 }
  }
}

/// Sets the stars of a book, in each of the ways in which requests repeat: the action of the stories and of the process.
package struct SetStars: StoreAction {
  package static let name = "stars"
  package static let repeats: [ActionRepeats] = [.byKey, .idempotent, .never]
  package let account: String
  package private(set) var id: Int
  package let stars: Int
  private let kind: Int

  package init(_ account: String, _ id: Int, _ stars: Int, kind: Int) {
    (self.account, self.id, self.stars, self.kind) = (account, id, stars, kind)
  }

  package var request: Request<Void> {
    let path = "\(StarredBook.path(account, id))/\(stars)"
    return Request(
      repeats == .idempotent ? .put : .post, .init(stringLiteral: path), decoding: .discarded)
  }
  package var queue: String { "\(account) \(id)" }
  package var repeats: ActionRepeats { Self.repeats[kind] }

  package func edit(_ edit: inout StoreEdit<Void>) {
    edit.update(StarredBook.self, id) { [stars] in $0.stars = stars }
    edit.invalidate(StarredBook.entry(account, id))
  }

  package mutating func resolve(_ ids: CreatedIDs) { id = ids[StarredBook.self, id] }

  /// Some stars cancel the earlier ones, some replace them.
  package func collapse(with earlier: Self) -> [Self] {
    guard kind == earlier.kind else { return [earlier, self] }
    return stars.isMultiple(of: 5) ? [] : stars % 5 == 1 ? [self] : [earlier, self]
  }

  /// Reads the number of effects.
  package func check(in store: Store) async throws -> ActionOutcome? {
    guard account == "process" else { return nil }
    let count = try await store.client.send(
      Request<String>(.get, request.path, decoding: .text))
    return count == "0" ? .send : .done
  }
}
