import Domain
import Synchronization
import Testing
import showcase

/// Pages are combined to one list.
@Suite(.timeLimit(.minutes(1)))
struct LoadedTests {
  private struct Broken: Error {}

  /// Returns one of three pages with two dogs each; the second also has a damaged entry.
  static func page(_ page: Int) -> Listing<Dog> {
    let damaged = page == 2 ? [DamagedEntry(index: 1, reason: "no name")] : []
    return Listing(
      [Dog(name: "\(page)a"), Dog(name: "\(page)b")], nextPage: page < 3 ? page + 1 : nil, total: 6,
      damaged: damaged)
  }

  @Test func `one page knows that there is more`() async throws {
    let loaded = try await Loaded(.one(2), of: { Self.page($0) })
    #expect(loaded.items.map(\.name) == ["2a", "2b"])
    #expect(loaded.nextPage == 3)
    #expect(loaded.total == 6)
  }

  @Test func `all pages come in their order`() async throws {
    let shown = Mutex<[Int]>([])
    let loaded = try await Loaded(.all, of: { Self.page($0) }) { list in
      shown.withLock { $0.append(list.items.count) }
    }
    #expect(loaded.items.map(\.name) == ["1a", "1b", "2a", "2b", "3a", "3b"])
    #expect(loaded.nextPage == nil)
    #expect(loaded.pages == 3)
    #expect(loaded.damaged.map(\.reason) == ["no name"])
    #expect(shown.withLock { $0 } == [2, 4, 6])
  }

  @Test func `item that moved to the next page is listed once`() async throws {
    let loaded = try await Loaded(.all) { page in
      Listing(
        page == 1 ? [Dog(name: "a"), Dog(name: "b")] : [Dog(name: "b"), Dog(name: "c")],
        nextPage: page == 1 ? 2 : nil)
    }
    #expect(loaded.items.map(\.name) == ["a", "b", "c"])
  }

  @Test func `error keeps the pages before it`() async throws {
    let loaded = try await Loaded(.all) { page in
      guard page < 3 else { throw Broken() }
      return Self.page(page)
    }
    #expect(loaded.items.count == 4)
    #expect(loaded.nextPage == 3)
    #expect(loaded.failure is Broken)
  }

  @Test func `error on the first page is thrown`() async {
    await #expect(throws: Broken.self) {
      _ = try await Loaded<Dog>(.all) { _ in throw Broken() }
    }
  }

  @Test func `server that goes in circles is left`() async throws {
    let requested = Mutex(0)
    let back = try await Loaded(.all) { _ in
      requested.withLock { $0 += 1 }
      return Listing([Dog(name: "a")], nextPage: 1)
    }
    #expect(back.items.count == 1)
    let same = try await Loaded(.all) { page in
      requested.withLock { $0 += 1 }
      return Listing([Dog(name: "a")], nextPage: page + 1)
    }
    #expect(same.items.count == 1)
    #expect(same.repeatedPage == 2)
    #expect(requested.withLock { $0 } == 3)
  }

  @Test func `pages are reckoned from the total and what can be had`() async throws {
    let loaded = try await Loaded(.one(1)) { _ in
      Listing((1...10).map { Dog(name: "\($0)") }, nextPage: 2, total: 5_001)
    }
    #expect(loaded.expectedPages(atMost: nil) == 501)
    #expect(loaded.expectedPages(atMost: 1_000) == 100)
    let untold = try await Loaded(.one(1)) { _ in Listing([Dog(name: "a")], nextPage: 2) }
    #expect(untold.expectedPages(atMost: nil) == nil)
  }
}
