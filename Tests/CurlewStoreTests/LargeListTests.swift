import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Tests that the cost of an edit does not grow with the number of rows of the lists that show the entity.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LargeListTests {
  private let test = TestStore()
  private static let count = 1_000
  private static let counts = Mutex((made: 0, compared: 0))

  private struct Title: EntityView, Codable {
    let id: Int
    var title: String

    init(_ whole: Book) {
      LargeListTests.counts.withLock { $0.made += 1 }
      (id, title) = (whole.id, whole.title)
    }
    func apply(to whole: inout Book) { whole.title = title }
    static func == (lhs: Self, rhs: Self) -> Bool {
      LargeListTests.counts.withLock { $0.compared += 1 }
      return lhs.id == rhs.id && lhs.title == rhs.title
    }
  }

  private static let titles = StoreEntry(
    Request<[Title]>.get("/titles"), entities: .each(\.self)
  ) { $0 }

  init() {
    let books = Dictionary(uniqueKeysWithValues: (1...Self.count).map { ($0, "Book \($0)") })
    test.stub.stub(Library.books(), with: .books(books))
    test.stub.stub(.get, "/titles", with: .books(books))
  }

  /// Returns how many rows a write of the entities creates and compares.
  private func cost(
    _ edit: @escaping @Sendable (inout StoreEdit<Void>) -> Void
  ) -> (made: Int, compared: Int) {
    Self.counts.withLock { $0 = (0, 0) }
    test.perform(Library.star(1), edit: edit)
    return Self.counts.withLock { $0 }
  }

  @Test func `an edit of an entity creates one row`() {
    _ = test.observe(Library.page())
    let list = test.observe(Self.titles)
    test.stub.stub(Library.star(1), with: .status(.noContent), .status(.conflict))
    func rename(_ id: Int, _ title: String) -> (made: Int, compared: Int) {
      cost { $0.update(Book.self, id) { $0.title = title } }
    }
    let done = rename(700, "New")
    #expect(done.made <= 4 && done.compared <= 4, "\(done)")
    #expect(list.latest?[699].title == "New" && list.latest?.count == Self.count)
    let refused = rename(1, "Refused")
    #expect(refused.made <= 4 && refused.compared <= 4, "\(refused)")
    #expect(list.latest?[0].title == "Book 1")
    test.stub.stub(Library.star(1), with: .status(.noContent))
    let removal = cost { $0.remove(Book.self, 2) }
    #expect(removal.made <= 4 && removal.compared <= 4, "\(removal)")
    let next = rename(Self.count, "Last")
    #expect(next.made <= 4 && next.compared <= 4, "\(next)")
    #expect(list.latest?.map(\.id) == [1] + Array(3...Self.count))
    #expect(list.latest?.last?.title == "Last")
  }

  @Test func `edits of lists with insertions and removals show`() {
    let (books, list) = (test.observe(Library.page()), test.observe(Self.titles))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    test.perform(Library.star(1)) { edit in
      edit.remove(Book.self, 2)
      edit.remove(Book.self, 900)
      edit.insert(Book(id: -1, title: "Draft"), into: Library.page(), at: 500)
      edit.remove(Title.self, 5, from: Self.titles)
    }
    let done = cost { edit in
      for id in [1, 3, 700, 1_000] { edit.update(Book.self, id) { $0.title = "New \(id)" } }
    }
    #expect(done.made <= 16, "\(done)")
    test.perform(Library.star(1)) { edit in
      edit.update(Book.self, -1) { $0.title = "Draft!" }
      edit.update(Book.self, 5) { $0.title = "New 5" }
    }
    let ids = (1...Self.count).filter { ![2, 900].contains($0) }
    let titles = { (id: Int) in [1, 3, 5, 700, 1_000].contains(id) ? "New \(id)" : "Book \(id)" }
    var expected = ids.map(titles)
    expected.insert("Draft!", at: 500)
    #expect(books.latest?.items.map(\.title) == expected)
    #expect(list.latest?.map(\.title) == ids.filter { $0 != 5 }.map(titles))
  }

  @Test func `an entity that a list contains twice is edited twice`() {
    let entry = StoreEntry(Request<[Book]>.get("/twice"), entities: .each(\.self)) { $0 + $0 }
    test.stub.stub(.get, "/twice", with: .books([1: "Emma", 2: "Persuasion"]))
    test.stub.stub(Library.star(1), with: .status(.noContent))
    let list = test.observe(entry)
    test.perform(Library.star(1)) { $0.update(Book.self, 1) { $0.title = "New" } }
    #expect(list.latest?.map(\.title) == ["New", "Persuasion", "New", "Persuasion"])
    test.perform(Library.star(1)) { $0.remove(Book.self, 2) }
    #expect(list.latest?.map(\.title) == ["New", "New"])
  }
}
