import CurlewLive
import Foundation
import Mustache
import Testing

/// Templates for values of a type: their output, and the errors when they are parsed.
@Suite(.timeLimit(.minutes(1)))
struct TemplateTests {
  private struct Page: TemplateValues {
    var title = "Birds"
    var note: String?
    var isOld = false
    var count = 3
    var body = HTML(trusted: "<b>b</b>")
    var rows: [Row] = []
    var more: [Row]?
    var list = List()
    var words: [String?] = []
    var when = Date.distantPast
    var point = Point()
    var grid: [[Row]] = []
    var lambda = MustacheLambda { $0 }

    static let names: TemplateNames<Self> = [
      "title": \.title, "note": \.note, "isOld": \.isOld, "count": \.count, "body": \.body,
      "rows": \.rows, "more": \.more, "list": \.list, "words": \.words, "when": \.when,
      "point": \.point, "grid": \.grid, "lambda": \.lambda,
      "length": \.title.count,
    ]
  }

  private struct Point { var x = 1 }

  private struct Row: TemplateValues {
    var name: String
    var isRare: Bool? = nil
    var piece = LivePiece("row", 1) { HTML(text: "\($0)") }

    static let names: TemplateNames<Self> = [
      "name": \.name, "isRare": \.isRare, "piece": \.piece,
    ]
  }

  private struct List: TemplateValues {
    var title: String? = nil
    var picked: Int? = nil
    var panel: LivePiece {
      LivePiece("panel", picked) { HTML(trusted: $0.map { "<p id=\"p\">\($0)</p>" } ?? "") }
    }

    static let names: TemplateNames<Self> = ["title": \.title, "panel": \.panel]
  }

  private func text(
    _ template: String, _ page: Page = Page(), partials: [String: String] = [:]
  ) throws -> String {
    try HTMLTemplate<Page>(template, partials: partials)(page).text
  }

  @Test(arguments: [
    ("{{title}} & {{count}} {{length}}", "Birds &amp; 3 5"),
    ("{{note}}|{{#note}}{{.}}{{/note}}{{^note}}none{{/note}}", "|none"),
    ("{{{body}}}{{&body}}", "<b>b</b><b>b</b>"),
    ("{{#rows}}{{name}},{{title}};{{/rows}}", "&lt;a&gt;,Birds;b,Birds;"),
    ("{{#rows}}{{#isRare}}{{name}}{{/isRare}}{{/rows}}", "b"),
    ("{{#more}}{{name}}{{/more}}{{^more}}no more{{/more}}", "no more"),
    ("{{#words}}[{{.}}]{{/words}}", "[x][][y]"),
    // A nested value's property hides the outer property of the same name, even if it is absent.
    ("{{#list}}{{title}}{{^title}}untitled{{/title}}{{/list}} {{list.title}}", "untitled "),
    ("{{! {{nothing }}{{title}}", "Birds"),
    ("{{count(rows)}} {{#first(rows)}}{{name}}{{/first(rows)}}", "2 &lt;a&gt;"),
    ("{{#empty(more)}}none{{/empty(more)}}{{#body}}{{title}}{{/body}}", "Birds"),
    ("{{#rows}}{{^first()}}, {{/first()}}{{uppercased(name)}}{{/rows}}", "&lt;A&gt;, B"),
    ("{{> line}}{{#rows}}{{> line}}{{/rows}}", "(Birds)(Birds)(Birds)"),
  ])
  func `values are shown by their names`(template: String, expected: String) throws {
    let page = Page(
      rows: [Row(name: "<a>"), Row(name: "b", isRare: true)], words: ["x", nil, "y"])
    let template = template.replacing(" & ", with: " &amp; ")
    #expect(try text(template, page, partials: ["line": "({{title}})"]) == expected)
  }

  @Test(arguments: [
    ("a\n{{titel}}", 2, "There is no value \"titel\" here; available: body, count, grid, isOld,"),
    ("{{#rows}}{{nmae}}{{/rows}}", 1, "There is no value \"nmae\" here; available: body, count"),
    (
      "{{#list}}{{.count}}{{/list}}", 1,
      "There is no value \"count\" here; available: panel, title."
    ),
    ("{{list.name}}", 1, "There is no value \"name\" here; available: panel, title."),
    ("{{title.first}}", 1, "There is no value \"first\" here; available: none."),
    ("{{#rows}}{{/rows}}\n\n{{name}}", 3, "There is no value \"name\" here"),
    ("{{#isOld}}\n{{^nothing}}{{/nothing}}{{/isOld}}", 2, "There is no value \"nothing\""),
    ("{{uppercased(titel)}}", 1, "There is no value \"titel\""),
    ("{{{title}}}", 1, "\"title\" is not HTML and must be escaped: use {{title}}."),
    ("{{body}}", 1, "\"body\" is markup: use {{{body}}}."),
    ("{{#list}}{{panel}}{{/list}}", 1, "\"panel\" is markup: use {{{panel}}}."),
    ("{{rows}}", 1, "\"rows\" is not text: use a section, {{#rows}}."),
    ("{{list}}", 1, "\"list\" is not text: use a section, {{#list}}."),
    (
      "{{#rows}}{{{piece}}}{{/rows}}", 1,
      "The piece \"piece\" is in a list, which can't have pieces."
    ),
    ("{{=<% %>=}}<%title%>", 1, "A template of values can't change the delimiters."),
    ("{{% CONTENT_TYPE: TEXT}}", 1, "A template of values can't change how texts are escaped."),
    ("{{$a}}{{/a}}", 1, "A template of values can't inherit from others."),
    ("{{plusone(count)}}", 1, "A template of values can't use plusone(count)."),
    ("{{#point}}{{x}}{{/point}}", 1, "A Point has no names: let it conform to TemplateValues."),
    ("{{lambda}}", 1, "\"lambda\" is not text"),
    ("{{grid}}", 1, "\"grid\" is not text"),
    ("{{#grid}}{{name}}{{/grid}}", 1, "A Array<Row> has no names"),
    ("{{#empty(rows)}}{{name}}{{/empty(rows)}}", 1, "There is no value \"name\" here"),
    ("{{..}}", 1, "The tag has no name."),
    ("{{{}}}", 1, "The tag has no name."),
    ("{{> lien}}", 1, "There is no partial \"lien\"; available: line, loop."),
  ])
  func `a tag that fits no value is refused`(template: String, line: Int, reason: String) throws {
    let partials = ["line": "({{title}})", "loop": "{{#isOld}}{{> loop}}{{/isOld}}"]
    let error = try #require(throws: HTMLTemplateError.self) {
      try text(template, partials: partials)
    }
    #expect(error.line == line)
    #expect(error.partial == nil)
    #expect(error.reason.hasPrefix(reason))
    #expect(error.description == "line \(line): \(error.reason)")
  }

  @Test func `a partial is checked where it is used`() throws {
    let partials = ["row": "\n<li>{{name}}</li>", "rows": "{{#rows}}{{> row}}{{/rows}}"]
    let page = Page(rows: [Row(name: "a")])
    #expect(try text("{{> rows}}", page, partials: partials) == "\n<li>a</li>")
    let error = try #require(throws: HTMLTemplateError.self) {
      try text("{{> row}}", partials: partials)
    }
    #expect(error.description.hasPrefix("partial \"row\", line 2: There is no value \"name\" here"))
  }

  @Test func `a partial that is in itself is refused`() throws {
    let error = try #require(throws: HTMLTemplateError.self) {
      try text("{{> loop}}", partials: ["loop": "{{#isOld}}{{> loop}}{{/isOld}}"])
    }
    #expect(error.description == "partial \"loop\", line 1: The partial \"loop\" includes itself.")
  }

  @Test(arguments: ["{{#title}}", "{{title}}{{/title}}", "{{title", "{{#title}}{{/note}}"])
  func `a text that is no template is refused`(template: String) {
    #expect(throws: (any Error).self) { try text(template) }
  }

  @Test func `pieces of nested values are rendered on their own`() throws {
    let template = try HTMLTemplate<Page>(
      "<main id=\"m\">{{#list}}{{#title}}{{{panel}}}{{/title}}{{/list}}</main>")
    // Absent, so the page needs no markup for it.
    #expect(template(Page()).text == "<main id=\"m\"></main>")
    let page = template(Page(list: List(title: "t", picked: 1)))
    #expect(page.text == "<main id=\"m\"><p id=\"p\">1</p></main>")
    let other = template(Page(list: List(title: "t", picked: 2)))
    let parts = FragmentChange.parts(from: Markup(page), to: Markup(other))
    #expect(parts.count == 1 && "\(parts)".contains("\"p\""))
  }

  @Test func `pieces of one name are shown each in its place`() throws {
    struct Two: TemplateValues {
      let left = LivePiece("panel", 1) { HTML(trusted: "<p id=\"p\($0)\">\($0)</p>") }
      let right = LivePiece("panel", 2) { HTML(trusted: "<p id=\"p\($0)\">\($0)</p>") }

      static let names: TemplateNames<Self> = ["left": \.left, "right": \.right]
    }
    let template = try HTMLTemplate<Two>("<main id=\"m\">{{{left}}}{{{right}}}</main>")
    #expect(template(Two()).text == "<main id=\"m\"><p id=\"p1\">1</p><p id=\"p2\">2</p></main>")
  }

  @Test func `nil is empty here, and what it was in plain templates`() throws {
    let plain = try MustacheTemplate(
      string: "[{{#words}}({{.}}){{/words}}] {{#note}}there{{/note}}{{^note}}absent{{/note}}")
    let values: [String: Any] = [
      "words": ["a", nil, "b"] as [String?], "note": String?.none as Any,
    ]
    #expect(plain.render(values) == "[(a)(nil)(b)] there")
    #expect(HTML(plain, values).text == "[(a)()(b)] absent")
    let nested: [String: Any] = ["words": ["a", String?.none as Any, ["b": Int?.none]] as [Any]]
    #expect(HTML(plain, nested).text.hasPrefix("[(a)()([&quot;b&quot;: "))
  }

  @Test func `direction controls are removed from markup`() {
    let piece = LivePiece("p", 1) { _ in HTML(text: "\u{202E}") }
    let html = HTML(trusted: "a\u{202E}b\u{2066}…\(piece.marker)", pieces: [piece])
    #expect(html.removingDirectionControls().text == "ab…\u{202E}")
    #expect(HTML(text: "–b").removingDirectionControls().text == "–b")
  }
}
