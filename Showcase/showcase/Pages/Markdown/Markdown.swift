package import CurlewLive
package import CurlewScreens

/// Renders Markdown texts, such as issues, as safe HTML.
///
/// It supports the common subset of GitHub Flavored Markdown: paragraphs, headings, lists (also
/// task lists), block quotes, code, tables, thematic breaks, bold, italic, strikethrough, and links
/// to the web. Other syntax is shown as text: HTML, and link reference definitions. Images become
/// links, because a page loads no foreign images. Comments are omitted.
///
/// The running time is linear in the length of the text, for any text.
package struct Markdown {
  /// The maximum nesting depth of quotes and lists; deeper markers are shown as text.
  ///
  /// Each level reads its lines again, so the running time is proportional to the depth.
  private static let depth = 6

  private var html = ""

  /// The HTML of recently rendered texts, for all pages.
  ///
  /// A page renders after each change of its state, which rarely affects the long text.
  package static let recent = RecentValues<String, HTML>(limit: 32)

  /// The maximum length of a stored text in bytes; GitHub's texts have at most 65,536 characters.
  package static let maximumRememberedSize = 65_536 * 4

  /// Returns a text's HTML; renders it unless it was rendered recently.
  package static func recentHTML(_ text: String) -> HTML {
    if let html = recent[text] { return html }
    let html = html(text)
    if text.utf8.count <= maximumRememberedSize { recent.remember([html]) { _ in text } }
    return html
  }

  /// Renders a text.
  package static func html(_ text: String) -> HTML {
    var markdown = Markdown()
    markdown.draw(MarkdownBytes(text).withoutComments.lines, depth: 0)
    return HTML(trusted: markdown.html)
  }

  /// Renders lines as consecutive blocks.
  private mutating func draw(_ lines: [MarkdownBytes], depth: Int) {
    var index = 0
    while index < lines.count {
      switch Block(lines[index]) {
      case .blank: index += 1
      case .rule:
        html += "<hr>\n"
        index += 1
      case .heading(let level, let text):
        // All headings have the same level, below the page's own headings, because texts skip
        // levels.
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

  /// Renders code up to the end of its fence, or of the text.
  private mutating func drawCode(
    until mark: Block.Fence, _ lines: [MarkdownBytes], _ index: inout Int
  ) {
    index += 1
    html += "<pre tabindex=\"0\"><code>"
    var (code, length) = (Code(language: mark.language), 0)
    while index < lines.count, !mark.isClosed(by: lines[index]) {
      let line = lines[index].withoutIndent(mark.indent)
      length += line.count
      if length > Code.maximumLength { code = nil }
      html += (code?.html(line) ?? line.html) + "\n"
      index += 1
    }
    html += "</code></pre>\n"
    index += 1
  }

  private mutating func drawQuote(_ lines: [MarkdownBytes], _ index: inout Int, depth: Int) {
    var own: [MarkdownBytes] = []
    while index < lines.count, let line = Block.unquoted(lines[index]) {
      own.append(line)
      index += 1
    }
    html += "<blockquote>\n"
    draw(own, depth: depth + 1)
    html += "</blockquote>\n"
  }

  private mutating func drawList(
    _ first: Block.Item, _ lines: [MarkdownBytes], _ index: inout Int, depth: Int
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

  /// Renders an item, and advances to the next item if only blank lines separate them.
  private mutating func drawItem(
    _ marker: Block.Item, _ lines: [MarkdownBytes], _ index: inout Int, depth: Int
  ) {
    // Lines with the indentation of the item's text, and blank lines between them, belong to the
    // item.
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

  /// Renders a paragraph; keeps its line breaks, as on GitHub.
  private mutating func drawParagraph(_ lines: [MarkdownBytes], _ index: inout Int) {
    var text = lines[index].trimmed
    index += 1
    while index < lines.count, case .text = Block(lines[index]) {
      text.append(UInt8(ascii: "\n"))
      text += lines[index].trimmed
      index += 1
    }
    html += "<p>\(MarkdownText.html(text))</p>\n"
  }
}
