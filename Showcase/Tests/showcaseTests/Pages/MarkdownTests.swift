import CurlewLive
import CurlewTesting
import Foundation
import ShowcaseTestSupport
import Testing
import showcase

@Suite(.timeLimit(.minutes(1)))
struct MarkdownTests {
  private func html(_ text: String) -> String {
    Markdown.html(text).text.replacing("\n", with: "")
  }

  @Test(arguments: [
    ("Soon.", "<p>Soon.</p>"),
    ("one\ntwo\r\n\r\nthree", "<p>one<br>two</p><p>three</p>"),
    (
      "# Title\n#### Part\n#7 is a number",
      #"<h3 class="level-1">Title</h3><h3 class="level-4">Part</h3><p>#7 is a number</p>"#
    ),
    ("a **bold *and* plain** b", "<p>a <strong>bold <em>and</em> plain</strong> b</p>"),
    ("snake_case_name and _this_", "<p>snake_case_name and <em>this</em></p>"),
    ("2 * 3 * 4, **not closed", "<p>2 * 3 * 4, **not closed</p>"),
    ("~~gone~~ ~~stays", "<p><del>gone</del> ~~stays</p>"),
    (
      "`a < b` and ``a ` b`` and ` alone",
      #"<p><code>a &lt; b</code> and <code>a ` b</code> and ` alone</p>"#
    ),
    ("\\*not\\* \\q", "<p>*not* \\q</p>"),
    (
      "- a\n- b\n  - c\n\n- d",
      "<ul><li><p>a</p></li><li><p>b</p><ul><li><p>c</p></li></ul></li><li><p>d</p></li></ul>"
    ),
    ("1. a\n2. b\ntext", "<ol><li><p>a</p></li><li><p>b</p></li></ol><p>text</p>"),
    (
      "> a\n> > b\n\nc",
      "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote><p>c</p>"
    ),
    ("a\n\n---\n", "<p>a</p><hr>"),
    (
      "```swift\nlet a = \"<b>\"\n\n**a**\n```\nb",
      #"<pre tabindex="0"><code><span class="k">let</span> a = <span class="s">&quot;&lt;b&gt;&quot;</span>**a**</code></pre><p>b</p>"#
    ),
    ("~~~\nnever ends", #"<pre tabindex="0"><code>never ends</code></pre>"#),
    ("<!-- Say what\nyou did -->It broke<!-- open", "<p>It broke&lt;!-- open</p>"),
    ("", ""),
  ])
  func `blocks and texts are drawn`(text: String, markup: String) {
    #expect(html(text) == markup)
  }

  private static let tables: [(String, String?)] = [
    (
      "| a | *b* |\n| :-- | --: |\n| 1 | `x\\|y` | lost |\n| 2\n\nend",
      """
      <thead><tr><th scope="col">a</th><th scope="col" class="is-right"><em>b</em></th></tr></thead>\
      <tbody><tr><td>1</td><td class="is-right"><code>x|y</code></td></tr>\
      <tr><td>2</td><td class="is-right"></td></tr></tbody></table></div><p>end</p>
      """
    ),
    (
      "a | b\n:-: | -\n<b> | 2",
      """
      <thead><tr><th scope="col" class="is-center">a</th><th scope="col">b</th></tr></thead>\
      <tbody><tr><td class="is-center">&lt;b&gt;</td><td>2</td></tr></tbody></table></div>
      """
    ),
    ("a | b\n--- | --- | ---\n1", nil), ("a | b\n-- | x\n1", nil), ("a | b", nil), ("|", nil),
    ("a\n---\nb", nil),
  ]

  @Test func `a table of too many columns is text`() {
    let line = { (cell: String) in String(repeating: cell, count: 33) + "\n" }
    #expect(!html(line("|a") + line("|-") + "|1").contains("<table"))
  }

  @Test(arguments: tables)
  func `tables have titles and as many cells`(text: String, markup: String?) {
    let html = html(text)
    guard let markup else { return #expect(!html.contains("<table")) }
    #expect(html == #"<div class="table" tabindex="0"><table>"# + markup)
  }

  @Test(arguments: [
    ("swift", "a // b \"c\"", #"a <span class="c">// b &quot;c&quot;</span>"#),
    (
      "Swift", "/* a\nlet */ let",
      #"<span class="c">/* a</span><span class="c">let */</span> <span class="k">let</span>"#
    ),
    (
      "sh", "echo 'a' # b", #"echo <span class="s">&apos;a&apos;</span> <span class="c"># b</span>"#
    ),
    (
      "json", #"{"a": 1.5}"#,
      #"{<span class="s">&quot;a&quot;</span>: <span class="n">1</span>.<span class="n">5</span>}"#
    ),
    ("js", #"x = "a\"b" + 'it"#, #"x = <span class="s">&quot;a\&quot;b&quot;</span> + &apos;it"#),
    ("text", "let 1", "let 1"), ("", "let 1", "let 1"),
  ])
  func `code has colours where its language is known`(
    language: String, code: String, markup: String
  ) {
    // The escaped form of an apostrophe doesn't matter.
    let html = html("```\(language)\n\(code)\n```").replacing("&#39;", with: "&apos;")
    #expect(html == #"<pre tabindex="0"><code>"# + markup + "</code></pre>")
  }

  @Test func `long code has no more colours`() {
    let html = html("```swift\n" + String(repeating: "let a\n", count: 3_000) + "```")
    let count = html.matches(of: /class="k"/).count
    #expect(count > 1_000 && count < 1_800)
  }

  @Test func `tasks say whether they are done`() {
    let markup = html("- [x] done\n- [ ] open\n- [link](https://a.example)")
    #expect(markup.contains(#"☑</span><span class="unseen">Done: </span><p>done</p>"#))
    #expect(markup.contains(#"☐</span><span class="unseen">To do: </span><p>open</p>"#))
    #expect(markup.contains(#">link</a>"#))
  }

  @Test(arguments: [
    ("[a *b*](https://a.example/x?y=1&z=2)", "https://a.example/x?y=1&amp;z=2", "a <em>b</em>"),
    (#"[a](https://a.example "title")"#, "https://a.example", "a"),
    ("[a](https://a.example/b_(c))", "https://a.example/b_(c)", "a"),
    ("![a](https://a.example/b.png)", "https://a.example/b.png", "a (picture)"),
    ("(see https://a.example/b_(c).)", "https://a.example/b_(c)", "https://a.example/b_(c)"),
    ("**https://a.example**", "https://a.example", "https://a.example"),
  ])
  func `links lead to the web`(text: String, address: String, words: String) {
    let link =
      #"<a href="\#(address)" rel="nofollow noopener noreferrer external" target="_blank">\#(words)</a>"#
    #expect(html(text).contains(link), "\(html(text))")
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "[a](javascript:alert(1))", "[a](data:text/html,<b>)",
    "![a](file:///etc/passwd)", "<img src=x onerror=alert(1)>", "`<b>`", "> <b>", "- <b>", "# <b>",
    "[<b>](https://a.example)", #"[a](https://a.example/"onclick="b)"#, "[a](//a.example)",
    "```<b>\n<b>\n```", "https://a.example/<b>", "[a](https://)",
  ])
  func `nothing of the text is markup`(text: String) {
    let known = ["p", "code", "pre", "blockquote", "ul", "li", "h3", "a", "br"]
    let markup = Markdown.html(text).text
    for tag in markup.matches(of: #/<\/?([a-zA-Z0-9]+)/#) {
      #expect(known.contains(String(tag.1)), "\(markup)")
    }
    #expect(!markup.contains(#/href="(?!https:\/\/a\.example)/#), "\(markup)")
    #expect(!markup.contains("onclick=\"b"), "\(markup)")
  }

  /// Delimiters in any order are rendered, closed in the correct order, and in less than quadratic
  /// time.
  @Test func `any marks are drawn`() throws {
    var random = SeededGenerator(seed: Fuzz.seed())
    let words = [
      "*", "**", "_", "__", "~~", "`", "``", "[", "![", "](", "](https://a.example)", ")", "a", " ",
      "\n", "- ", "1. ", "> ", "# ", "```\n", "https://a.example", "\\", "<b>", "<!--", "-->", "\t",
    ]
    for _ in 0..<Fuzz.runs(2_000) {
      let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined()
      try expectClosed(Markdown.html(text).text, text)
    }
  }

  private func expectClosed(_ markup: String, _ text: String) throws {
    var open: [Substring] = []
    for tag in markup.matches(of: #/<(\/?)([a-z0-9]+)/#) where !["br", "hr"].contains(tag.2) {
      if tag.1.isEmpty {
        open.append(tag.2)
      } else {
        try #require(open.popLast() == tag.2, "\(text.debugDescription)")
      }
    }
    #expect(open.isEmpty, "\(text.debugDescription)")
  }
}
