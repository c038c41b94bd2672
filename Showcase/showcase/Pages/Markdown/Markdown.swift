import CurlewLive

/// A text in Markdown, as users write issues, drawn as safe HTML.
///
/// It knows the part of GitHub's dialect that issues mostly use: paragraphs, headings, lists (also of
/// tasks), quotes, code, rules, bold, italic, struck text, and links to the web. Everything else is
/// shown as it was written: tables, HTML, and references in a list of their own. Pictures become
/// links, since a page loads none from anywhere. Comments are left out.
struct Markdown {
  /// How deep quotes and lists are drawn in each other; what is deeper is text.
  private static let depth = 6

  private var html = ""

  /// Draws a text.
  static func html(_ text: String) -> HTML {
    var markdown = Markdown()
    let lines = text.withoutComments.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    markdown.draw(lines[...], depth: 0)
    return HTML(trusted: markdown.html)
  }

  /// Draws lines as blocks, one after the other.
  private mutating func draw(_ lines: ArraySlice<Substring>, depth: Int) {
    var rest = lines
    while let line = rest.first {
      let block = Block(line)
      switch block {
      case .blank: rest.removeFirst()
      case .rule:
        html += "<hr>\n"
        rest.removeFirst()
      case .heading(let level, let text):
        // All of one level, below the page's own, since texts leave levels out.
        html += "<h3 class=\"level-\(level)\">\(MarkdownText.html(text))</h3>\n"
        rest.removeFirst()
      case .fence(let mark): drawCode(until: mark, &rest)
      case .quote where depth < Self.depth: drawQuote(&rest, depth: depth)
      case .item(let marker) where depth < Self.depth:
        drawList(marker.isOrdered, &rest, depth: depth)
      case .quote, .item, .text: drawParagraph(&rest)
      }
    }
  }

  /// Draws code up to the end of its fence, or of the text.
  private mutating func drawCode(until mark: Block.Fence, _ rest: inout ArraySlice<Substring>) {
    rest.removeFirst()
    let code = rest.prefix { !mark.isClosed(by: $0) }
    html += "<pre tabindex=\"0\"><code>"
    for line in code {
      html += HTML(text: String(line.dropIndent(mark.indent))).text + "\n"
    }
    html += "</code></pre>\n"
    rest = rest.dropFirst(code.count + 1)
  }

  private mutating func drawQuote(_ rest: inout ArraySlice<Substring>, depth: Int) {
    let lines = rest.prefix { if case .quote = Block($0) { true } else { false } }
    html += "<blockquote>\n"
    draw(lines.map { Block.unquoted($0) }[...], depth: depth + 1)
    html += "</blockquote>\n"
    rest = rest.dropFirst(lines.count)
  }

  private mutating func drawList(
    _ isOrdered: Bool, _ rest: inout ArraySlice<Substring>, depth: Int
  ) {
    let tag = isOrdered ? "ol" : "ul"
    html += "<\(tag)>\n"
    while let first = rest.first, case .item(let marker) = Block(first),
      marker.isOrdered == isOrdered
    {
      // What is indented as its text belongs to the item, and so do blank lines between.
      let more = rest.dropFirst().prefix { line in
        if case .blank = Block(line) { true } else { line.indent >= marker.width }
      }
      let blank = more.reversed().prefix { if case .blank = Block($0) { true } else { false } }
      let own = more.dropLast(blank.count)
      html += "<li>"
      if let isDone = marker.isDone {
        html += "<span class=\"task\" aria-hidden=\"true\">\(isDone ? "☑" : "☐")</span>"
        html += "<span class=\"unseen\">\(isDone ? "Done" : "To do"): </span>"
      }
      draw(([marker.text] + own.map { $0.dropIndent(marker.width) })[...], depth: depth + 1)
      html += "</li>\n"
      rest = rest.dropFirst(1 + own.count)
      // A blank line between two items.
      let next = rest.drop { if case .blank = Block($0) { true } else { false } }
      if let line = next.first, case .item = Block(line) { rest = next }
    }
    html += "</\(tag)>\n"
  }

  /// Draws a paragraph; its line breaks stay, as on GitHub.
  private mutating func drawParagraph(_ rest: inout ArraySlice<Substring>) {
    var lines = [rest.removeFirst()]
    while let line = rest.first, case .text = Block(line) {
      lines.append(line)
      rest.removeFirst()
    }
    let text = lines.map { $0.trimmed }.joined(separator: "\n")
    html += "<p>\(MarkdownText.html(text))</p>\n"
  }
}

extension String {
  /// The text without what is between `<!--` and `-->`, which issue templates tell their users.
  fileprivate var withoutComments: String {
    var text = ""
    var rest = self[...]
    while let start = rest.firstRange(of: "<!--") {
      guard let end = rest[start.upperBound...].firstRange(of: "-->") else { break }
      text += rest[..<start.lowerBound]
      rest = rest[end.upperBound...]
    }
    return text + rest
  }
}
