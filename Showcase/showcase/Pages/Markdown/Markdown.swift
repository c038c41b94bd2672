package import CurlewLive
package import CurlewScreens

/// A text in Markdown, as users write issues, drawn as safe HTML.
///
/// It knows the part of GitHub's dialect that issues mostly use: paragraphs, headings, lists (also of
/// tasks), quotes, code, tables, rules, bold, italic, struck text, and links to the web. Everything else is
/// shown as it was written: HTML, and references in a list of their own. Pictures become
/// links, since a page loads none from anywhere. Comments are left out.
///
/// The time it takes grows with the length of the text, whatever is in it.
package struct Markdown {
  /// How deep quotes and lists are drawn in each other; what is deeper is text.
  ///
  /// Every level reads its lines once more, so the time grows with it too.
  private static let depth = 6

  private var html = ""

  /// The markup of texts that were drawn lately, for all pages: a page is drawn at every change of its state, and
  /// the long text on it is seldom what changed.
  package static let recent = RecentValues<String, HTML>(limit: 32)

  /// The longest text that is kept, in bytes: GitHub's have 65,536 characters at most.
  package static let longestKept = 65_536 * 4

  /// Returns a text's markup, which is drawn unless it was lately.
  package static func recentHTML(_ text: String) -> HTML {
    if let html = recent[text] { return html }
    let html = html(text)
    if text.utf8.count <= longestKept { recent.remember([html]) { _ in text } }
    return html
  }

  /// Draws a text.
  package static func html(_ text: String) -> HTML {
    var markdown = Markdown()
    markdown.draw(Part(text).withoutComments.lines, depth: 0)
    return HTML(trusted: markdown.html)
  }

  /// Draws lines as blocks, one after the other.
  private mutating func draw(_ lines: [Part], depth: Int) {
    var index = 0
    while index < lines.count {
      switch Block(lines[index]) {
      case .blank: index += 1
      case .rule:
        html += "<hr>\n"
        index += 1
      case .heading(let level, let text):
        // All of one level, below the page's own, since texts leave levels out.
        html += "<h3 class=\"level-\(level)\">\(MarkdownText.html(text))</h3>\n"
        index += 1
      case .fence(let mark): drawCode(until: mark, lines, &index)
      case .quote where depth < Self.depth: drawQuote(lines, &index, depth: depth)
      case .item(let marker) where depth < Self.depth:
        drawList(marker, lines, &index, depth: depth)
      case .quote, .item, .text:
        if let table = Table(lines[index...]) {
          html += table.html
          index += table.length
        } else {
          drawParagraph(lines, &index)
        }
      }
    }
  }

  /// Draws code up to the end of its fence, or of the text.
  private mutating func drawCode(until mark: Block.Fence, _ lines: [Part], _ index: inout Int) {
    index += 1
    html += "<pre tabindex=\"0\"><code>"
    var (code, length) = (Code(language: mark.language), 0)
    while index < lines.count, !mark.isClosed(by: lines[index]) {
      let line = lines[index].withoutIndent(mark.indent)
      length += line.count
      if length > Code.longest { code = nil }
      html += code?.html(line) ?? line.html
      html += "\n"
      index += 1
    }
    html += "</code></pre>\n"
    index += 1
  }

  private mutating func drawQuote(_ lines: [Part], _ index: inout Int, depth: Int) {
    var own: [Part] = []
    while index < lines.count, let line = Block.unquoted(lines[index]) {
      own.append(line)
      index += 1
    }
    html += "<blockquote>\n"
    draw(own, depth: depth + 1)
    html += "</blockquote>\n"
  }

  private mutating func drawList(
    _ first: Block.Item, _ lines: [Part], _ index: inout Int, depth: Int
  ) {
    let tag = first.isOrdered ? "ol" : "ul"
    html += "<\(tag)>\n"
    var item: Block.Item? = first
    while let marker = item {
      drawItem(marker, lines, &index, depth: depth)
      item = nil
      if index < lines.count, case .item(let next) = Block(lines[index]),
        next.isOrdered == first.isOrdered
      {
        item = next
      }
    }
    html += "</\(tag)>\n"
  }

  /// Draws an item, and goes to the next one if only blank lines are between them.
  private mutating func drawItem(
    _ marker: Block.Item, _ lines: [Part], _ index: inout Int, depth: Int
  ) {
    // What is indented as its text belongs to the item, and so do blank lines between.
    var own = [marker.text]
    index += 1
    var next = index
    while next < lines.count {
      let isBlank = lines[next].isBlank
      guard isBlank || lines[next].indent >= marker.width else { break }
      next += 1
      if !isBlank {
        while index < next {
          own.append(lines[index].withoutIndent(marker.width))
          index += 1
        }
      }
    }
    html += "<li>"
    if let isDone = marker.isDone {
      html += "<span class=\"task\" aria-hidden=\"true\">\(isDone ? "☑" : "☐")</span>"
      html += "<span class=\"unseen\">\(isDone ? "Done" : "To do"): </span>"
    }
    draw(own, depth: depth + 1)
    html += "</li>\n"
    if next < lines.count, case .item = Block(lines[next]) { index = next }
  }

  /// Draws a paragraph; its line breaks stay, as on GitHub.
  private mutating func drawParagraph(_ lines: [Part], _ index: inout Int) {
    var text = lines[index].trimmed.bytes
    index += 1
    while index < lines.count, case .text = Block(lines[index]) {
      text.append(UInt8(ascii: "\n"))
      text += lines[index].trimmed.bytes
      index += 1
    }
    html += "<p>"
    html += MarkdownText.html(Part(text))
    html += "</p>\n"
  }
}
