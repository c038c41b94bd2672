import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Lists of a store's pages: when a page changes, the displayed pages after it are loaded again.
@Suite(.timeLimit(.minutes(1)))
struct StorePagesTests {
  let test = TestStore()
  let list: ScreenProbe<Feed<Book>>

  init() {
    let store = test.store
    list = ScreenProbe(Feed(source: store.source { Self.page($0) }))
  }

  /// Pages of two; a shorter page is the last page.
  static func page(_ key: PageKey?) -> StoreEntry<Page<Book>> {
    StoreEntry(Library.books(key), entities: .each(\.items)) { books in
      Page(books, next: books.count < 2 ? nil : .number((key?.number ?? 1) + 1))
    }.tagged("books")
  }

  static func key(_ number: Int) -> PageKey? { number == 1 ? nil : .number(number) }

  /// The server responds with pages, and with an empty page after them.
  func serve(_ pages: [[Int]], _ fields: HTTPFields = [:]) {
    for (index, ids) in (pages + [[], []]).enumerated() {
      test.stub.stub(Library.books(Self.key(index + 1)), with: Self.response(ids, fields))
    }
  }

  static func response(_ ids: [Int], _ fields: HTTPFields = [:]) -> StubResponse {
    let books = ids.map { #"{"id":\#($0),"title":"Book \#($0)","isStarred":false}"# }
    return .json("[\(books.joined(separator: ","))]", fields)
  }

  func show(_ pages: [[Int]], _ fields: HTTPFields = [:]) {
    serve(pages, fields)
    list.send(.load)
    for _ in pages.dropFirst() { list.send(.more) }
    #expect(ids == pages.flatMap(\.self))
  }

  func settle() {
    for _ in 1...20 {
      test.settle()
      list.settle()
    }
  }

  /// The first page is loaded again.
  func invalidate() {
    let store = test.store
    test.run { await store.invalidate(Self.page(nil)) }
    settle()
  }

  var ids: [Int] { list.state.items.map(\.id) }

  func requests(_ number: Int) -> Int {
    test.stub.requests.count {
      $0.head.path == (number == 1 ? "/books" : "/books?page=\(number)") && $0.head.method == .get
    }
  }

  @Test func `the user's own insertion hides no row`() {
    show([[1, 2], [3, 4], [5]])
    serve([[0, 1], [2, 3], [4, 5]])
    test.stub.stub(Library.add("Book 0"), with: .book(0, "Book 0"))
    test.perform(Library.add("Book 0")) { edit in
      edit.insert(Book(id: -1, title: "Book 0"), into: Self.page(nil))
      edit.receive { $0 }
      edit.invalidate(tag: "books")
    }
    settle()
    #expect(ids == [0, 1, 2, 3, 4, 5])
    #expect(list.state.status == .content && list.state.pageCount == 3)
  }

  @Test func `rows that were deleted elsewhere go`() {
    show([[1, 2], [3, 4], [5, 6], [7]])
    serve([[1, 4], [5, 6], [7]])
    invalidate()
    #expect(ids == [1, 4, 5, 6, 7])
    #expect(list.state.status == .ended && list.state.pageCount == 3)
  }

  @Test func `pages after a last page go`() {
    show([[1, 2], [3, 4], [5]])
    serve([[1]])
    invalidate()
    #expect(ids == [1])
    #expect(list.state.status == .ended && list.state.pageCount == 1)
    #expect(requests(2) == 1)
  }

  @Test func `a page that is unchanged ends the chain`() {
    show([[1, 2], [3, 4], [5, 6], [7]])
    serve([[2, 1], [3, 4], [6, 5], [7]])
    invalidate()
    #expect(requests(2) == 2 && requests(3) == 1)
    #expect(ids == [2, 1, 3, 4, 5, 6, 7], "nothing says that the third page has changed")
  }

  @Test func `changed fields load no other page`() {
    show([[1, 2], [3]])
    test.stub.stub(Library.books(), with: .books([1: "Emma II", 2: "Persuasion"]))
    invalidate()
    #expect(list.state.items.first?.title == "Emma II")
    #expect(requests(2) == 1)
  }

  @Test func `a pending edit loads no other page`() {
    show([[1, 2], [3, 4], [5]])
    test.stub.stub(Library.star(2), with: .status(.conflict))
    let gate = test.stub.hold(Library.star(2))
    test.perform(Library.star(2)) { $0.remove(Book.self, 2) }
    settle()
    #expect(ids == [1, 3, 4, 5])
    gate.respond(with: .status(.conflict))
    settle()
    #expect(ids == [1, 2, 3, 4, 5])
    #expect(requests(2) == 1 && requests(3) == 1)
  }

  @Test func `nothing is skipped after the user's own deletion`() {
    show([[1, 2], [3, 4], [5, 6], [7]], .fresh(for: 600))
    serve([[1, 3], [4, 5], [6, 7]], .fresh(for: 600))
    test.stub.stub(Library.star(2), with: .status(.noContent))
    list.send(.sourceChanged)
    settle()
    list.send(.more)
    settle()
    #expect(ids == [1, 2, 3, 4], "from the cache")
    test.perform(Library.star(2)) { $0.remove(Book.self, 2) }
    settle()
    #expect(ids == [1, 3, 4])
    for _ in 1...3 {
      list.send(.more)
      settle()
    }
    #expect(ids == [1, 3, 4, 5, 6, 7])
  }

  @Test func `fresh pages are asked for, too, and one at a time`() {
    show([[1, 2], [3, 4], [5]], .fresh(for: 600))
    serve([[0, 1], [2, 3], [4, 5]], .fresh(for: 600))
    let gate = test.stub.hold(Library.books(.number(2)))
    invalidate()
    #expect(requests(3) == 1, "page 3 waits for page 2")
    gate.respond(with: Self.response([2, 3]))
    settle()
    #expect(ids == [0, 1, 2, 3, 4, 5])
  }

  @Test func `at most ten pages are loaded again`() {
    let pages = (0..<14).map { [$0 * 2 + 1, $0 * 2 + 2] }
    show(pages)
    serve((0..<14).map { [$0 * 2 + 2, $0 * 2 + 3] })
    invalidate()
    #expect((2...11).allSatisfy { requests($0) == 2 } && requests(12) == 1)
    #expect(ids == Array(2...23), "the later pages are loaded when the user scrolls to them")
    list.send(.more)
    settle()
    #expect(ids.prefix(24) == Array(2...25)[...])
  }

  @Test func `a page that fails keeps its rows and is tried again`() {
    show([[1, 2], [3, 4], [5]])
    serve([[0, 1], [2, 3], [4, 5]])
    test.stub.stub(Library.books(.number(2)), with: .status(.internalServerError))
    invalidate()
    #expect(ids == [0, 1, 3, 4, 5] && requests(2) == 2)
    serve([[0, 1], [2, 3], [4, 5]])
    list.send(.load)
    settle()
    #expect(ids == [0, 1, 2, 3, 4, 5])
  }
}

/// Random changes of a server's list, compared with a model of its pages.
@Suite(.timeLimit(.minutes(2)))
struct StorePagesStoryTests {
  /// The pages that a list should show: a changed page is followed by a reload of the next page.
  struct Model {
    var server = Array(1...12)
    var pages: [[Int]] = []
    var isLast: [Bool] = []

    func page(_ index: Int) -> [Int] { Array(server.dropFirst(index * 2).prefix(2)) }
    /// A page with fewer than two items is the last page.
    func isLast(_ index: Int) -> Bool { page(index).count < 2 }

    /// Loads the next page, and the pages after it, until a page has a new item.
    mutating func more() {
      let former = shown
      for _ in 1...5 where shown == former && isLast.last != true {
        pages.append(page(pages.count))
        isLast.append(pages[pages.count - 1].count < 2)
      }
    }

    mutating func refresh() {
      (pages, isLast) = ([], [])
      more()
    }

    mutating func invalidate() {
      var loaded = -1
      for index in pages.indices {
        loaded += 1
        if loaded > 10 { return drop(index) }
        let isChanged = pages[index] != page(index)
        pages[index] = page(index)
        isLast[index] = pages[index].count < 2
        if isLast[index] { return drop(index + 1) }
        if !isChanged { return }
      }
    }

    private mutating func drop(_ index: Int) {
      pages.removeSubrange(index...)
      isLast.removeSubrange(index...)
    }

    var shown: [Int] {
      var ids: Set<Int> = []
      return pages.joined().filter { ids.insert($0).inserted }
    }
  }

  @Test func `pages heal in every story`() {
    tellStories("pages of a store", count: 300) { generator in
      let tests = StorePagesTests()
      var model = Model()
      if generator.chance(oneIn: 3) { model.server = Array(1...40) }
      var last = 100
      func serve() {
        for index in 0...22 {
          tests.test.stub.stub(
            Library.books(StorePagesTests.key(index + 1)),
            with: StorePagesTests.response(model.page(index)))
        }
      }
      serve()
      tests.list.send(.load)
      model.more()
      var told: [String] = []
      for _ in 0..<generator.pick(3...30) {
        // The store does not load a value again that it has just loaded.
        tests.test.advance(by: .seconds(3))
        switch generator.pick(0...9) {
        case 0...3:
          tests.list.send(.more)
          tests.settle()
          model.more()
          told.append("more")
        case 4:
          tests.list.send(.refresh)
          tests.settle()
          model.refresh()
          told.append("refresh")
        case 5, 6:
          last += 1
          model.server.insert(last, at: 0)
          serve()
          tests.test.stub.stub(Library.add("x"), with: .book(last, "Book \(last)"))
          tests.test.perform(Library.add("x")) { [last] edit in
            edit.insert(Book(id: -last, title: "x"), into: StorePagesTests.page(nil))
            edit.receive { $0 }
            edit.invalidate(tag: "books")
          }
          tests.settle()
          model.invalidate()
          told.append("add \(last)")
        default:
          switch generator.pick(0...2) {
          case 0 where !model.server.isEmpty:
            model.server.remove(at: generator.pick(0...min(3, model.server.count - 1)))
          case 1 where model.server.count > 1:
            model.server.swapAt(0, generator.pick(0...model.server.count - 1))
          default:
            last += 1
            model.server.insert(last, at: generator.pick(0...min(4, model.server.count)))
          }
          serve()
          tests.invalidate()
          model.invalidate()
          told.append("change to \(model.server)")
        }
        let state = tests.list.state
        if state.items.map(\.id) != model.shown || state.pageCount != model.pages.count {
          return "\(told)\nshows \(tests.ids), not \(model.shown)"
        }
        if state.isLoading || tests.list.runner.isWorking { return "\(told)\nworks" }
      }
      return nil
    }
  }

  /// Changes, requests and responses in any order, then a refresh.
  @Test func `pages in any order end and are right after a refresh`() {
    tellStories("pages in any order", count: 400) { generator in
      let tests = StorePagesTests()
      var model = Model()
      var last = 100
      func serve(mayFail: Bool = true) {
        for index in 0...16 {
          tests.test.stub.stub(
            Library.books(StorePagesTests.key(index + 1)),
            with: mayFail && generator.chance(oneIn: 12)
              ? .status(.internalServerError) : StorePagesTests.response(model.page(index)))
        }
      }
      serve()
      tests.list.send(.load)
      for _ in 0..<generator.pick(3...40) {
        switch generator.pick(0...9) {
        case 0: tests.list.send(.load)
        case 1, 2: tests.list.send(.more)
        case 3: tests.list.send(generator.pick([.refresh, .retry, .sourceChanged]))
        case 4: tests.list.settle()
        case 5: tests.test.advance(by: .milliseconds(generator.pick(0...4_000)))
        case 6:
          tests.list.suspend()
          tests.list.resume()
        case 7:
          let store = tests.test.store
          tests.test.run { await store.invalidate(tag: "books") }
        default:
          last += 1
          model.server.insert(last, at: generator.pick(0...min(4, model.server.count)))
          model.server.remove(at: generator.pick(0...model.server.count - 1))
          serve()
        }
        let ids = tests.ids
        if Set(ids).count != ids.count { return "an item twice: \(ids)" }
      }
      serve(mayFail: false)
      tests.settle()
      tests.test.advance(by: .seconds(3))
      tests.settle()
      tests.list.send(.refresh)
      tests.settle()
      for _ in 1...12 where tests.list.state.status == .content {
        tests.list.send(.more)
        tests.settle()
      }
      let state = tests.list.state
      if state.isLoading || tests.list.runner.isWorking { return "works: \(state.status)" }
      return tests.ids == model.server ? nil : "\(tests.ids), not \(model.server)"
    }
  }
}
