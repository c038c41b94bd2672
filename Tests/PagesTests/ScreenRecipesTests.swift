import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import Testing

/// The recipes of Recipes.md for screens and tests, compiled and run.
@Suite("The recipes for screens and tests", .timeLimit(.minutes(1)))
struct ScreenRecipesTests {
  typealias Note = RequestRecipesTests.Note

  private let stub = StubTransport()
  private let api: Client

  init() { api = .stubbed(by: stub) }

  private func search() -> some Screen {
    let search = Search<Note>(debounce: .milliseconds(300)) { [api] text in
      try await api.send(.get("/notes", query: ["q": text]))
    }
    let model = ScreenModel(search)
    model.send(.term("milk"))
    return search
  }

  private func list() -> Feed<Note> {
    let list = Feed<Note> { [api] key in
      let number = key?.number ?? 1
      let notes: [Note] = try await api.send(.get("/notes", query: ["page": number]))
      return Page(notes, next: notes.isEmpty ? nil : .number(number + 1))
    }
    return list
  }

  private func detail() -> Detail<Int, Note, Note> {
    let seen = RecentValues<Int, Note>()  // the list fills it: seen.remember(notes, by: \.id)
    let detail = Detail<Int, Note, Note>(known: { seen[$0] }) { [api] id in
      try await api.send(.get("/notes/\(id)"))
    }
    return detail
  }

  @Test func `the page has twenty short recipes`() throws {
    let page = try DocumentationTests.page("Recipes.md")
    #expect(page.matches(of: #/\n### \d+\. \w/#).count == 20)
    for block in page.components(separatedBy: "\n```swift\n").dropFirst() {
      let lines = block.components(separatedBy: "\n```")[0].split(separator: "\n")
      #expect(lines.count <= 15, "\(lines[0])")
    }
  }

  @Test func `screens begin empty`() {
    _ = search()
    #expect(list().initial.items.isEmpty)
    #expect(detail().initial.known == nil)
  }

  @Test func `a client is tested`() async throws {
    let stub = StubTransport()
    let api = Client.stubbed(by: stub) { $0.middleware = [.bearer("token")] }
    stub.stub(.get, "/notes/7", with: .json(#"{"id": 7, "title": "Milk"}"#))

    let note: Note = try await api.send(.get("/notes/7"))
    #expect(note.title == "Milk")
    #expect(stub.requests.last?.head.headerFields[.authorization] == "Bearer token")
  }

  @Test func `a list is tested`() async {
    stub.stub(.get, "/notes", with: .json(#"[{"id": 7, "title": "Milk"}]"#), .json("[]"))
    let runner = Runner(list())
    await runner.send(.load).finished()
    await runner.send(.more).finished()
    #expect(runner.state.items.map(\.title) == ["Milk"])
    #expect(runner.state.status == .ended)
  }
}
