import CurlewLive
import CurlewScreens
import Synchronization
import TestSupport
import Testing

/// A page of pieces: its document, its stream, and the responses to a tab whose stream a proxy buffers.
@Suite(.timeLimit(.minutes(1)))
struct PiecePageTests {
  @Test func `the document is complete`() async throws {
    let page = try ListPage()
    try await withServer(page) { visitor in
      let rows = (0..<4).map { "<li data-key=\"\($0)\">\($0): a</li>" }.joined()
      let document = try await visitor.document("/list")
      #expect(document.contains("<ul id=\"list\">\(rows)</ul>"))
    }
  }

  @Test func `a stream has the row that changed`() async throws {
    let page = try ListPage()
    try await withServer(page) { visitor in
      let (session, shown) = try await visitor.open("/list")
      let stream = try await visitor.listen(session: session, shown: shown, path: "/list")
      _ = try await stream.hello()
      page.renderings.rows.withLock { $0 = [] }
      try await visitor.act("change", "2", in: session, path: "/list")
      let state = try await stream.state { $0.acknowledged == 1 }
      #expect(state.html.contains("<li data-key=\"2\">2: b</li><li data-key=\"3\">3: a</li>"))
      #expect(page.others(than: 2) <= 1, "at most one row, by the check of debug builds")
    }
  }

  @Test func `a response has the row that changed`() async throws {
    let page = try ListPage()
    try await withServer(page) { visitor in
      let (session, shown) = try await visitor.open("/list")
      let (status, update) = try await visitor.ask(
        "change", "1", number: 1, shown: shown.version, in: session, path: "/list")
      #expect(status == 200)
      #expect(update?.html == nil)
      #expect(update?.parts?.map(\.path) == [["list", "1"]])
      #expect(update?.parts?.first?.html == "<li data-key=\"1\">1: b</li>")
    }
  }
}

/// A list in which a row can be changed, and which counts rendered rows.
private struct ListPage: LivePage {
  struct Rows: Screen {
    struct Row: Equatable, Sendable {
      let id: Int
      var text = "a"
    }

    var initial: [Row] { (0..<4).map { Row(id: $0) } }

    func handle(_ event: Int, _ state: inout [Row], _ work: inout Work<[Row]>) {
      state[event].text = "b"
    }
  }

  struct View: TemplateValues {
    let rows: LivePiece

    static let names: TemplateNames<Self> = ["rows": \.rows]
  }

  struct RowView: TemplateValues {
    let row: Rows.Row

    static let names: TemplateNames<Self> = ["id": \.row.id, "text": \.row.text]
  }

  final class Renderings: Sendable {
    let rows = Mutex<[Int]>([])
  }

  let path = "/list"
  let screen = Rows()
  let renderings = Renderings()
  private let template: HTMLTemplate<View>
  private let row: HTMLTemplate<RowView>

  init() throws {
    template = try HTMLTemplate("<ul id=\"list\">{{{rows}}}</ul>")
    row = try HTMLTemplate("<li data-key=\"{{id}}\">{{id}}: {{text}}</li>\n")
  }

  /// Returns how many rows with another id were rendered.
  func others(than id: Int) -> Int { renderings.rows.withLock { $0.count { $0 != id } } }

  func isPresentable(_ state: [Rows.Row]) -> Bool { true }
  func events(for query: LiveQuery, in state: [Rows.Row]) -> [Int] { [] }
  func event(for action: LiveAction) -> Int? { Int(action.value) }
  func address(of state: [Rows.Row]) -> LiveAddress { LiveAddress() }
  func title(of state: [Rows.Row]) -> String { "List" }
  func render(_ state: [Rows.Row], _ activity: ScreenActivity) -> HTML {
    let rows = LivePiece("rows", rows: state, key: { "\($0.id)" }) { [row, renderings] value in
      renderings.rows.withLock { $0.append(value.id) }
      return row(RowView(row: value))
    }
    return template(View(rows: rows))
  }
}
