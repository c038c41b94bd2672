import CurlewLive
import CurlewTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Pages of pieces: the sent parts and the rendered pieces when values change.
@Suite(.timeLimit(.minutes(2)))
final class PieceTests: Sendable {
  /// How many of the five rows the check of debug builds may render; its counter is process-wide.
  private static let mostChecked = 3

  /// The rendered pieces, by the piece's name or the row's key.
  private let rendered = Mutex<[String]>([])

  /// A page with two lists of pieces, a panel that may be absent, and a nested piece.
  private struct Page: Equatable {
    struct Row: Equatable {
      var id: Int
      var text = "row"
    }

    var text = ""
    var isOld = false
    var rows: [Row] = (0..<5).map { Row(id: $0) }
    var others: [Row] = []
    var picked: Int?
    var note = "n"
  }

  private func html(_ page: Page) -> HTML {
    let note = LivePiece("note", page.note) { [self] note in
      log("note")
      return HTML(trusted: "<b>\(note)</b><i id=\"i\">\(note.count)</i>")
    }
    let picked = LivePiece("picked", Picked(number: page.picked, note: page.note)) {
      [self] picked in
      log("picked")
      guard let number = picked.number else { return HTML(trusted: "") }
      return HTML(
        trusted: "<div id=\"panel\"><h2>\(number)</h2>\(note.marker)<p>end</p></div>",
        pieces: [note])
    }
    let rows = LivePiece(
      "rows", rows: page.rows, key: { "\($0.id)" }, also: { $0.id == page.picked }
    ) { [self] row, isPicked in
      log("\(row.id)")
      return HTML(
        trusted: """
          <li data-key="\(row.id)"><a\(isPicked ? " class=on" : "")><b data-key="b">\(row.text)</b>\
          </a></li>

          """)
    }
    let others = LivePiece("others", rows: page.others, key: { "other \($0.id)" }) { [self] row in
      log("other \(row.id)")
      return HTML(trusted: "<li data-key=\"other \(row.id)\">\(row.text)</li>")
    }
    return HTML(
      trusted: """
        <main id="main"><input id="q" value="\(page.text)">
        <ol id="list"\(page.isOld ? " class=old" : "")>
        \(rows.marker)<li>between</li>\(others.marker)
        </ol>\(picked.marker)<p>foot</p></main>
        """, pieces: [rows, others, picked])
  }

  private struct Picked: Equatable {
    let number: Int?
    let note: String
  }

  private func log(_ name: String) { rendered.withLock { $0.append(name) } }

  /// Returns the parts that change one page into another, after applying them to a document.
  @discardableResult
  private func check(_ old: Page, _ new: Page) throws -> (parts: [Document.Part], names: [String]) {
    let (before, after) = (html(old), html(new))
    let markups = (Markup(before), Markup(after))
    rendered.withLock { $0 = [] }
    let parts = try JSONDecoder().decode(
      [Document.Part].self,
      from: JSONEncoder().encode(FragmentChange.parts(from: markups.0, to: markups.1)))
    let names = rendered.withLock { $0 }
    let document = Document(before.text)
    for part in parts { try document.apply(part) }
    #expect(document.markup == Document(after.text).markup, "\(old) -> \(new): \(parts)")
    return (parts, names)
  }

  private func change(_ change: (inout Page) -> Void) throws -> (
    parts: [Document.Part], names: [String]
  ) {
    var page = Page()
    page.picked = 2
    let old = page
    change(&page)
    return try check(old, page)
  }

  @Test func `only what has changed is rendered and sent`() throws {
    let typed = try change { $0.text = "typed" }
    #expect(typed.parts.map(\.path) == [["main", "q"]])
    #expect(typed.names.filter { $0 != "picked" }.count <= Self.mostChecked)

    let row = try change { $0.rows[3].text = "new" }
    #expect(row.parts.map(\.path) == [["main", "list", "3", "b"]])
    #expect(row.names.contains("3"))
    #expect(Set(row.names).subtracting(["3", "picked"]).count <= Self.mostChecked)
  }

  @Test func `a picked row is sent without its content`() throws {
    let (parts, names) = try change { $0.picked = 4 }
    #expect(
      parts.map(\.path) == [["main", "list", "2"], ["main", "list", "4"], ["main", "panel"]])
    #expect(parts[1].html == "<li data-key=\"4\"><a class=on><!--live:0--></a></li>")
    #expect(parts[2].html?.contains("<!--live:0-->") == true, "the nested piece's element stays")
    #expect(!names.contains("3"))
  }

  @Test func `rows that come are rendered alone`() throws {
    let (parts, names) = try change { $0.rows += [.init(id: 8), .init(id: 9)] }
    #expect(parts.map(\.path) == [["main", "list"]])
    #expect(parts[0].keep == [["0", "4"]])
    #expect(Set(names).isSuperset(of: ["8", "9"]) && names.count <= 2 + Self.mostChecked)
    #expect(try change { $0.rows.removeSubrange(1...2) }.parts[0].keep == [["0"], ["3", "4"]])
    #expect(
      try change { $0.rows.swapAt(0, 1) }.parts[0].keep == [["1"], ["0"], ["2", "4"]])
  }

  @Test func `the element around rows changes without them`() throws {
    let (parts, names) = try change { $0.isOld = true }
    #expect(parts.map(\.path) == [["main", "list"]])
    #expect(
      parts[0].html?.hasPrefix("<ol id=\"list\" class=old>\n<!--live:0--><li>between") == true)
    #expect(parts[0].keep == [["0", "4"]])
    #expect(names.count <= Self.mostChecked)
  }

  @Test func `a piece that comes or goes changes what is around it`() throws {
    #expect(try change { $0.picked = nil }.parts.map(\.path) == [["main"], ["main", "list", "2"]])
    #expect(
      try check(
        Page(),
        {
          var page = Page(); page.picked = 1; return page
        }()
      ).parts[0].html?
      .contains("<div id=\"panel\">") == true)
  }

  @Test func `keys are told apart by their bytes`() throws {
    struct Row: Equatable {
      let key: String
      let text: String
    }
    func page(_ rows: [Row]) -> HTML {
      let piece = LivePiece("rows", rows: rows, key: \.key) {
        HTML(trusted: "<p data-key=\"\($0.key)\">\($0.text)</p>")
      }
      return HTML(trusted: "<main id=\"a\">\(piece.marker)</main>", pieces: [piece])
    }
    let rows = [Row(key: "caf\u{E9}", text: "1"), Row(key: "cafe\u{301}", text: "2")]
    let (old, new) = (page(rows), page([rows[1], Row(key: rows[0].key, text: "3")]))
    let parts = FragmentChange.parts(from: Markup(old), to: Markup(new))
    #expect(parts.first.map { "\($0)".contains("live:0") } == true, "the list, as they move")
  }

  @Test(arguments: [
    ("a\rb", "a\nb"), ("a\r\nb", "a\nb"), ("a\0b", "a\u{FFFD}b"), ("\r", "\n"),
  ])
  func `keys are as browsers parse them`(key: String, parsed: String) throws {
    func page(_ text: String) -> HTML {
      let piece = LivePiece("rows", rows: [text, "last"], key: { "\(key)\($0.count)" }) {
        HTML(trusted: "<p data-key=\"\(key)\($0.count)\">\($0)</p>")
      }
      let other = "<p data-key=\"other \(key)\">\(text)</p>"
      return HTML(trusted: "<main id=\"a\">\(piece.marker)</main>\(other)", pieces: [piece])
    }
    func parts(to text: String) throws -> [Document.Part] {
      let parts = FragmentChange.parts(from: Markup(page("1")), to: Markup(page(text)))
      return try JSONDecoder().decode([Document.Part].self, from: JSONEncoder().encode(parts))
    }
    #expect(try parts(to: "2").map(\.path) == [["a", "\(parsed)1"], ["other \(parsed)"]])
    #expect(try parts(to: "1 2").first?.keep == [["\(parsed)4"]])
  }

  @Test func `unchanged storage is not walked`() throws {
    let rows = (0..<1_000).map { Counting(id: $0) }
    let compared = Counting.compared
    func page(_ text: String) -> Markup {
      let piece = LivePiece("rows", rows: rows, key: { "\($0.id)" }) {
        HTML(trusted: "<p data-key=\"\($0.id)\"></p>")
      }
      return Markup(
        HTML(trusted: "<main id=\"a\" title=\"\(text)\">\(piece.marker)</main>", pieces: [piece]))
    }
    let parts = FragmentChange.parts(from: page("a"), to: page("b"))
    #expect(parts.count == 1)
    #expect(Counting.compared == compared)
  }

  private struct Counting: Equatable {
    private static let count = Atomic<Int>(0)
    static var compared: Int { count.load(ordering: .relaxed) }
    let id: Int

    static func == (lhs: Self, rhs: Self) -> Bool {
      count.add(1, ordering: .relaxed)
      return lhs.id == rhs.id
    }
  }

  @Test(arguments: 0..<20) func `any change ends in a fresh rendering`(round: Int) throws {
    var random = SeededGenerator(seed: Fuzz.seed() &+ UInt64(round))
    var page = Page()
    for _ in 0..<Fuzz.runs(60, of: 20) {
      let old = page
      for _ in 0..<random.pick(1...3) { change(&page, &random) }
      try check(old, page)
    }
  }

  private func change(_ page: inout Page, _ random: inout SeededGenerator) {
    let count = page.rows.count
    switch random.pick(0...10) {
    case 0: page.text += "x"
    case 1: page.isOld.toggle()
    case 2: page.picked = random.chance(oneIn: 3) ? nil : random.pick(0...9)
    case 3: page.note = random.pick(["", "a", "bc"])
    case 4 where count > 0: page.rows[random.pick(0...(count - 1))].text = random.pick(["x", "y"])
    case 5 where count > 0: page.rows.remove(at: random.pick(0...(count - 1)))
    case 6: page.rows.shuffle(using: &random)
    case 7:
      page.others = (0..<random.pick(0...3)).map { .init(id: $0, text: random.pick(["x", "y"])) }
    case 8: page.rows = []
    default:
      let id = (page.rows.map(\.id).max() ?? 0) + 1
      page.rows.insert(.init(id: id), at: random.pick(0...count))
    }
  }

  // MARK: Odd pieces

  @Test(arguments: [
    "<svg>@</svg>", "<p data-live-ignore>@</p>", "<noscript>@</noscript>",
    "<p id=a></p><p id=a>@</p>",
    "<p title=\"@\">x</p>", "@@", "<div>@",
  ]) func `where a piece can not be on its own all is rendered`(around: String) throws {
    func page(_ text: String) -> HTML {
      let piece = LivePiece("a", text) { HTML(text: $0) }
      return HTML(
        trusted: "<main id=\"m\">\(around.replacing("@", with: piece.marker))</main>",
        pieces: [piece])
    }
    #expect(page("x").text == "<main id=\"m\">\(around.replacing("@", with: "x"))</main>")
    let parts = FragmentChange.parts(from: Markup(page("x")), to: Markup(page("y")))
    // Content that a script fills is not sent again.
    #expect(parts.isEmpty == around.contains("ignore"))
  }

  @Test func `a piece of another type under the name is sent whole`() throws {
    func page(_ piece: LivePiece) -> HTML {
      HTML(trusted: "<main id=\"m\">\(piece.marker)</main>", pieces: [piece])
    }
    let old = page(LivePiece("a", 1) { HTML(text: "\($0)") })
    let new = page(LivePiece("a", "x") { HTML(text: $0) })
    let parts = try JSONDecoder().decode(
      [Document.Part].self,
      from: JSONEncoder().encode(FragmentChange.parts(from: Markup(old), to: Markup(new))))
    #expect(parts.map(\.html) == ["<main id=\"m\">x</main>"])
  }

  @Test func `debug builds stop where a closure shows more than its value`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      func page(_ text: String) -> Markup {
        let piece = LivePiece("clock", 1) { _ in HTML(text: text) }
        return Markup(HTML(trusted: piece.marker, pieces: [piece]))
      }
      for number in 0..<40 {
        _ = FragmentChange.parts(from: page("\(number)"), to: page("\(number + 1)"))
      }
    }
    let error = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(error.contains("The piece \"clock\" is rendered differently for an equal value"))
  }

  @Test func `debug builds stop at a row that is not the element of its key`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let rows = LivePiece("rows", rows: Array(0..<40), key: { "\($0)" }) {
        HTML(trusted: "<dt data-key=\"\($0)\"></dt><dd></dd>")
      }
      _ = HTML(trusted: rows.marker, pieces: [rows]).text
    }
    let error = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(error.contains("A row must be one element with its key"))
  }
}
