import Curlew
import CurlewScreens
import CurlewTerminal
import CurlewTesting
import Testing

/// The code of CurlewTerminal.md, compiled and run.
@Suite("The page about the terminal", .timeLimit(.minutes(1)))
struct TerminalPageTests {
  @Test func `a book is found and read`() {
    let stub = StubTransport()
    stub.stub(
      .get, "/books",
      with: .json(#"[{"id": 7, "title": "Emma", "author": "Austen", "year": 1815}]"#))
    stub.stub(
      .get, "/books/7",
      with: .json(#"{"id": 7, "title": "Emma", "author": "Austen", "year": 1815}"#))
    let probe = TerminalProbe(Books(client: .stubbed(by: stub)).app)

    probe.type("emma")
    probe.advance(by: .milliseconds(500))
    #expect(probe.rows.contains("1 books"))
    #expect(probe.rows.contains("› 1815  Emma   Austen"))

    probe.press(.down, .enter)
    #expect(probe.rows[0] == " Emma")
    #expect(probe.rows.contains("Author  Austen"))
    probe.resize(columns: 40, rows: 12)
    probe.press(.escape, .control("c"))
    #expect(probe.hasQuit)
  }
}

nonisolated struct Book: Decodable, Identifiable, Equatable {
  let id: Int
  let title: String
  let author: String
  let year: Int
}

nonisolated struct BookRoute: Route {
  let id: Int
  var address: String { "/books/\(id)" }

  init(_ id: Int) { self.id = id }
  init?(address: String) {
    guard let id = Int(address.dropFirst("/books/".count)) else { return nil }
    self.init(id)
  }
}

nonisolated struct Books {
  let client: Client
  static let columns: [Column<Book>] = [
    .number("YEAR") { "\($0.year)" }, .text("TITLE", least: 20) { $0.title },
    Column.word("AUTHOR") { $0.author }.faint,
  ]

  var app: TerminalApp {
    TerminalApp(
      Search { text in try await client.send(Request<[Book]>.get("/books", query: ["q": text])) }
    ) { state in
      TerminalView(
        "Books", status: state.isLoading ? "Searching…" : "\(state.items.count) books",
        fields: [Field("Title", text: state.text) { .term($0) }], submit: .submit,
        list: List(state.items, id: \.id, columns: Self.columns) { .go(to: BookRoute($0.id)) })
    }.destination(for: BookRoute.self) { book($0.id) }
  }

  func book(_ id: Int) -> TerminalApp {
    TerminalApp(
      Detail<Int, Never, Book> { try await client.send(.get("/books/\($0)")) }, start: [.show(id)]
    ) { state in
      TerminalView(
        state.content.latest?.title ?? "Book", status: state.content.isLoading ? "Loading…" : "",
        text: state.content.latest.map {
          Text(facts: [("Author", $0.author), ("Year", "\($0.year)")])
        })
    }
  }
}
