import CurlewLive
import CurlewTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct PartTests {
  /// Returns the decoded parts that change one markup into another.
  private func parts(
    from old: String, to new: String, limit: Int = 20_000
  ) throws -> [Document.Part] {
    let markups = [old, new].map { Markup(HTML(trusted: $0), limit: limit) }
    let parts = FragmentChange.parts(from: markups[0], to: markups[1])
    return try JSONDecoder().decode([Document.Part].self, from: JSONEncoder().encode(parts))
  }

  /// Applies the parts to a document and expects the new markup.
  @discardableResult
  private func check(_ old: String, _ new: String) throws -> [Document.Part] {
    let parts = try parts(from: old, to: new)
    let document = Document(old)
    for part in parts { try document.apply(part) }
    #expect(document.markup == Document(new).markup, "\(old) -> \(new): \(parts)")
    return parts
  }

  private func list(_ keys: some Sequence<Int>, _ text: (Int) -> String = { "row \($0)" }) -> String
  {
    let rows = keys.map { "<li data-key=\"\($0)\">\(text($0))</li>\n" }.joined()
    return "<main><p id=\"status\">ready</p><ol id=\"list\">\n\(rows)</ol></main>"
  }

  @Test func `equal markup is no part`() throws {
    #expect(try check(list(0..<5), list(0..<5)).isEmpty)
  }

  /// Content that a script updates, such as an age, is resent only with its changed row.
  @Test func `content that updates leave alone is no change`() throws {
    func row(_ age: Int, _ text: String = "row") -> String {
      "<i data-live-ignore>\(age)<b id=\"b\">s</b></i> \(text) <i data-live-ignore>\(age)</i>"
    }
    let old = list(0..<5) { _ in row(1) }
    #expect(try parts(from: old, to: list(0..<5) { _ in row(2) }).isEmpty)
    let changed = try parts(from: old, to: list(0..<5) { row(2, $0 == 3 ? "new" : "row") })
    #expect(changed.map(\.path) == [["list", "3"]])
    #expect(changed.first?.html?.contains(">2<b") == true)
    // Changes beside it count, also changes of its tag.
    let tag = list(0..<5) { _ in row(1).replacing("<i data", with: "<i class=x data") }
    #expect(try parts(from: old, to: tag).count == 5)
  }

  @Test func `row that changed is sent alone`() throws {
    let parts = try check(list(0..<1_000), list(0..<1_000) { $0 == 7 ? "new" : "row \($0)" })

    #expect(parts.map(\.path) == [["list", "7"]])
    #expect(parts.first?.html == "<li data-key=\"7\">new</li>")
  }

  @Test func `new rows of a list are sent alone`() throws {
    let parts = try check(list(0..<120), list(0..<140))

    #expect(parts.map(\.path) == [["list"]])
    #expect(parts.first?.keep == [["0", "119"]])
    let rows = (120..<140).map { "\n<li data-key=\"\($0)\">row \($0)</li>" }.joined()
    #expect(parts.first?.html == "<ol id=\"list\">\n<!--live:0-->\(rows)\n</ol>")
  }

  @Test func `rows that go or move are named`() throws {
    #expect(
      try check(list(0..<9), list([0, 1, 2, 5, 6, 7, 8])).first?.keep == [["0", "2"], ["5", "8"]])
    #expect(try check(list(0..<4), list([3, 0, 1, 2])).first?.keep == [["3"], ["0", "2"]])
    #expect(try check(list(0..<2), list([])).first?.keep == nil)
  }

  @Test func `what moved and changed is both`() throws {
    let parts = try check(list(0..<3), list([2, 0, 1]) { $0 == 1 ? "new" : "row \($0)" })

    #expect(parts.map(\.path) == [["list"], ["list", "1"]])
  }

  @Test func `field sends its attributes alone`() throws {
    func field(_ attributes: String) -> String {
      "<form><input id=\"q\" name=\"q\" \(attributes)></form>"
    }
    let parts = try check(
      field("value=\"a\" data-old=\"x\""), field("value=\"a &amp; b\" disabled=\"\""))

    #expect(parts.count == 1 && parts.first?.html == nil)
    let changes: [String: String?] = ["value": "a & b", "data-old": nil, "disabled": ""]
    #expect(parts.first?.attributes == changes)
  }

  @Test func `texts are compared by their bytes`() throws {
    let parts = try parts(
      from: "<input id=\"q\" value=\"\u{E9}\">", to: "<input id=\"q\" value=\"e\u{301}\">")

    #expect(parts.first?.attributes?["value"]??.unicodeScalars.count == 2)
  }

  @Test func `long tag is sent as a whole`() throws {
    let image = { (text: String) in
      "<p><img id=\"a\" src=\"data:\(String(repeating: text, count: 1_100))\"></p>"
    }
    let parts = try check(image("a"), image("b"))

    #expect(parts.first?.html?.hasPrefix("<img") == true)
  }

  @Test func `another element with the same key is new`() throws {
    let parts = try check("<p id=\"a\">x</p>", "<div id=\"a\">x</div>")

    #expect(parts.map(\.path) == [[]])
    #expect(parts.first?.keep == nil)
  }

  @Test func `text between that changed is sent`() throws {
    try check("<b id=\"a\"></b>, <b id=\"c\"></b>", "<b id=\"a\"></b>; <b id=\"c\"></b>")
    try check(
      "<ul><li id=\"a\"></li></ul><ul><li id=\"b\"></li></ul>",
      "<ul><li id=\"a\"></li><li id=\"b\"></li></ul>")
  }

  @Test func `keys are unescaped`() throws {
    let parts = try check("<p id=\"a&amp;&#39;/b\">1</p>", "<p id=\"a&amp;&#39;/b\">2</p>")
    #expect(parts.first?.path == ["a&'/b"])
  }

  /// Markup that can't be divided is sent as a whole.
  @Test(arguments: [
    ("<div id=\"a\">1<div id=\"b\">2</div>", "unclosed elements"),
    ("<a id=\"a\">1<a id=\"b\">2</a></a>", "a link in a link"),
    ("<button id=\"a\">1<button id=\"b\">2</button></button>", "a button in a button"),
    ("<form><form id=\"a\"></form><p id=\"b\"></p></form>", "a form in a form"),
    ("<p id=\"a\"><b id=\"b\"><div>1</div></b></p>", "an element that browsers copy"),
    ("<table id=\"a\"><tr id=\"b\"><td>1</td></tr>2</table>", "text in a table"),
    ("<table id=\"a\"><div id=\"b\">1</div></table>", "an element in a table"),
    ("<div id=\"a\"><tr id=\"b\"><td>1</td></tr></div>", "a row without a table"),
    ("<p id=\"a\"><svg><div id=\"b\">1</div></svg></p>", "an element that ends a drawing"),
    ("<p id=\"a\"><b></p></b>", "crossed elements"),
    ("<p id=\"a\">1</p><p id=\"a\">2</p>", "the same key twice"),
    ("<svg><g id=\"a\"/></svg>", "another namespace"),
    ("<template><p id=\"a\">x</p></template>", "a template"),
    ("<textarea><p id=\"a\">x</p></textarea>", "text that looks like markup"),
    ("<!-- <p id=\"a\">x</p> -->", "a comment"),
    ("<p id=\"a&copy;\">x</p>", "a key that can't be read"),
    ("<p id=\"a", "a tag without an end"),
    ("<script>if (a < b) \"</p id='a'>\"</script", "a script without an end"),
    ("</p>", "an end without a beginning"),
    ("<p id=\"a\"><!--live:0--></p>", "a comment like a part's comment"),
    (
      String(repeating: "<p id=\"a\">", count: 201) + String(repeating: "</p>", count: 201), "depth"
    ),
  ])
  func `what can not be divided is one part`(markup: String, reason: String) throws {
    let changes = try parts(from: markup, to: markup + " ")

    #expect(changes.map(\.path) == [[]], "\(reason)")
    #expect(changes.first?.html == markup + " " && changes.first?.keep == nil, "\(reason)")
  }

  /// The path of the fragment in which the `x` of the markup changes.
  @Test(arguments: [
    ("<p id=\"a\">x<div id=\"b\">y</div></p>", ["a"]),
    ("<p id=\"a\">y<div id=\"b\">x</div></p>", ["b"]),
    ("<p id=\"a\"><i>y<ul id=\"b\"><li>x</ul></p>", []),
    ("<ul id=\"u\"><li id=\"a\">y<li id=\"b\">x</ul>", ["u", "b"]),
    ("<ul id=\"u\"><li id=\"a\">y<ul><li id=\"b\">x</ul></ul>", ["u", "a", "b"]),
    ("<ul id=\"u\"><li id=\"a\">y<li id=\"b\">z</li>x</li></ul>", ["u"]),
    ("<table id=\"t\"><tr id=\"a\"><td id=\"b\">x<td>y<tr id=\"c\"></table>", ["t", "a", "b"]),
    ("<dl><dt id=\"a\">y<dd id=\"b\">x</dl>", ["b"]),
    ("<select id=\"s\"><option id=\"a\">y<option id=\"b\">x</select>", ["s", "b"]),
    ("<p id=\"a\"><button>y<p id=\"b\">x</button></p>", ["a", "b"]),
  ])
  func `elements end where browsers end them`(markup: String, path: [String]) throws {
    let parts = try parts(from: markup, to: markup.replacing("x", with: "z"))
    #expect(parts.map(\.path) == [path])
  }

  @Test func `too many fragments are sent as a whole`() throws {
    let (old, new) = (list(0..<8), list(0..<8) { "\($0)" })
    #expect(try parts(from: old, to: new, limit: 10).count == 8)
    #expect(try parts(from: old, to: new, limit: 9).map(\.path) == [[]])
  }

  @Test func `markup that HTML allows is divided`() throws {
    for markup in [
      "<P ID=a>x</P>", "<p id='a' title=\"a > b\" hidden>x</p>", "a < b<br><p data-key=a>x</p >",
      "<svg viewBox=\"0 0 8 8\"><path d=\"M1 1\"/></svg><p id=\"a\">x</p>",
      "<script>if (a < b) \"<p>\"</script><p id=\"a\">x</p>", "<img src=a/><p id=\"a\">x</p>",
      "<!doctype html><!-- > --><p id=\"a\">x</p>", "<div/><p id=\"a\">x</p></div>",
    ] {
      let new = markup.replacing("x</", with: "y</").replacing("X</", with: "y</")
      #expect(try parts(from: markup, to: new).map(\.path) == [["a"]], "\(markup)")
    }
  }

  @Test func `random changes end in the new markup`() throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    var tree = RandomMarkup(&random)
    for _ in 0..<Fuzz.size(200, full: 20_000) {
      let old = tree.markup
      tree.change(&random)
      try check(old, tree.markup)
    }
  }

  /// Malformed markup neither crashes nor gets lost.
  @Test func `damaged markup is read`() throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    let tree = RandomMarkup(&random)
    for _ in 0..<Fuzz.size(200, full: 20_000) {
      var bytes = Array(tree.markup.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
        default: bytes.insert(Array("<>/\"'= a".utf8).randomElement(using: &random) ?? 0, at: index)
        }
      }
      let damaged = String(decoding: bytes, as: UTF8.self)
      for part in try parts(from: tree.markup, to: damaged) where part.path.isEmpty {
        if part.keep == nil { #expect(part.html.map { !$0.isEmpty } ?? true) }
      }
      #expect(try parts(from: damaged, to: damaged).isEmpty)
    }
  }
}
