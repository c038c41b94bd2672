import CurlewLive
import Foundation
import Mustache
import Testing

/// Templates for values of a type: what they show, and what they refuse when they are read.
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

    static let names: TemplateNames<Self> = [
      "title": \.title, "note": \.note, "isOld": \.isOld, "count": \.count, "body": \.body,
      "rows": \.rows, "more": \.more, "list": \.list, "words": \.words, "when": \.when,
      "length": \.title.count,
    ]
  }

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
    _ template: String, _ page: Page = Page(), parts: [String: String] = [:]
  ) throws -> String {
    try HTMLTemplate<Page>(template, parts: parts)(page).text
  }

  @Test(arguments: [
    ("{{title}} & {{count}} {{length}}", "Birds &amp; 3 5"),
    ("{{note}}|{{#note}}{{.}}{{/note}}{{^note}}none{{/note}}", "|none"),
    ("{{{body}}}{{&body}}", "<b>b</b><b>b</b>"),
    ("{{#rows}}{{name}},{{title}};{{/rows}}", "&lt;a&gt;,Birds;b,Birds;"),
    ("{{#rows}}{{#isRare}}{{name}}{{/isRare}}{{/rows}}", "b"),
    ("{{#more}}{{name}}{{/more}}{{^more}}no more{{/more}}", "no more"),
    ("{{#words}}[{{.}}]{{/words}}", "[x][][y]"),
    // What a nested value calls the same hides what is around it, absent or not.
    ("{{#list}}{{title}}{{^title}}untitled{{/title}}{{/list}} {{list.title}}", "untitled "),
    ("{{! {{nothing }}{{=<% %>=}}<%title%> {{none}}<%={{ }}=%>{{title}}", "Birds {{none}}Birds"),
    ("{{#rows}}{{^first()}}, {{/first()}}{{uppercased(name)}}{{/rows}}", "&lt;A&gt;, B"),
    ("{{> line}}{{#rows}}{{> line}}{{/rows}}", "(Birds)(Birds)(Birds)"),
  ])
  func `values are shown by their names`(template: String, expected: String) throws {
    let page = Page(
      rows: [Row(name: "<a>"), Row(name: "b", isRare: true)], words: ["x", nil, "y"])
    let template = template.replacing(" & ", with: " &amp; ")
    #expect(try text(template, page, parts: ["line": "({{title}})"]) == expected)
  }

  @Test(arguments: [
    ("a\n{{titel}}", 2, "Nothing is called \"titel\" here; there are body, count, isOld, length,"),
    ("{{#rows}}{{nmae}}{{/rows}}", 1, "Nothing is called \"nmae\" here; there are body, count"),
    (
      "{{#list}}{{.count}}{{/list}}", 1, "Nothing is called \"count\" here; there are panel, title."
    ),
    ("{{list.name}}", 1, "Nothing is called \"name\" here; there are panel, title."),
    ("{{title.first}}", 1, "Nothing is called \"first\" here; there are none."),
    ("{{#rows}}{{/rows}}\n\n{{name}}", 3, "Nothing is called \"name\" here"),
    ("{{#isOld}}\n{{^nothing}}{{/nothing}}{{/isOld}}", 2, "Nothing is called \"nothing\""),
    ("{{uppercased(titel)}}", 1, "Nothing is called \"titel\""),
    ("{{{title}}}", 1, "\"title\" is shown without being escaped, and is no HTML: use {{title}}."),
    ("{{body}}", 1, "\"body\" is markup, which is shown by {{{body}}}."),
    ("{{#list}}{{panel}}{{/list}}", 1, "\"panel\" is markup, which is shown by {{{panel}}}."),
    ("{{rows}}", 1, "\"rows\" is no text: use a section, {{#rows}}."),
    ("{{list}}", 1, "\"list\" is no text: use a section, {{#list}}."),
    (
      "{{#rows}}{{{piece}}}{{/rows}}", 1,
      "The piece \"piece\" is in a list, which can't have pieces."
    ),
    ("{{> lien}}", 1, "There is no part \"lien\"; there are line, loop."),
  ])
  func `a tag that fits no value is refused`(template: String, line: Int, reason: String) throws {
    let parts = ["line": "({{title}})", "loop": "{{#isOld}}{{> loop}}{{/isOld}}"]
    let error = try #require(throws: HTMLTemplateError.self) { try text(template, parts: parts) }
    #expect(error.line == line)
    #expect(error.part == nil)
    #expect(error.reason.hasPrefix(reason))
    #expect(error.description == "line \(line): \(error.reason)")
  }

  @Test func `a part is checked where it is used`() throws {
    let parts = ["row": "\n<li>{{name}}</li>", "rows": "{{#rows}}{{> row}}{{/rows}}"]
    let page = Page(rows: [Row(name: "a")])
    #expect(try text("{{> rows}}", page, parts: parts) == "\n<li>a</li>")
    let error = try #require(throws: HTMLTemplateError.self) {
      try text("{{> row}}", parts: parts)
    }
    #expect(error.description.hasPrefix("part \"row\", line 2: Nothing is called \"name\" here"))
  }

  @Test(arguments: ["{{#title}}", "{{title}}{{/title}}", "{{title", "{{#title}}{{/note}}"])
  func `a text that is no template is refused`(template: String) {
    #expect(throws: (any Error).self) { try text(template) }
  }

  @Test func `pieces of nested values are rendered on their own`() throws {
    let template = try HTMLTemplate<Page>(
      "<main id=\"m\">{{#list}}{{#title}}{{{panel}}}{{/title}}{{/list}}</main>")
    // Not shown: it costs the page nothing.
    #expect(template(Page()).text == "<main id=\"m\"></main>")
    let page = template(Page(list: List(title: "t", picked: 1)))
    #expect(page.text == "<main id=\"m\"><p id=\"p\">1</p></main>")
    let other = template(Page(list: List(title: "t", picked: 2)))
    let parts = LivePart.parts(from: Markup(page), to: Markup(other))
    #expect(parts.count == 1 && "\(parts)".contains("\"p\""))
  }

  @Test func `direction controls are removed from markup`() {
    let piece = LivePiece("p", 1) { _ in HTML(text: "\u{202E}") }
    let html = HTML(trusted: "a\u{202E}b\u{2066}…\(piece.marker)", pieces: [piece])
    #expect(html.removingDirectionControls().text == "ab…\u{202E}")
    #expect(HTML(text: "–b").removingDirectionControls().text == "–b")
  }
}
