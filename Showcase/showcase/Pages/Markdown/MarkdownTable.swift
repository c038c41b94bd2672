extension Markdown {
  /// A table in GitHub Flavored Markdown: a header row, a delimiter row, and data rows (GFM section
  /// 4.10).
  struct Table {
    /// The maximum number of columns.
    ///
    /// Rows are padded to the number of titles, so without a limit the HTML could grow
    /// quadratically.
    private static let maximumColumns = 32

    private enum Alignment: String {
      case left = ""
      case center = " class=\"is-center\""
      case right = " class=\"is-right\""
    }

    private let titles: [MarkdownBytes]
    private let alignments: [Alignment]
    private let rows: [[MarkdownBytes]]
    /// The number of lines.
    let length: Int

    /// Parses the table that begins with the first line; returns `nil` if there is none.
    init?(_ lines: ArraySlice<MarkdownBytes>) {
      guard lines.count >= 2, let first = lines.first, first.contains(UInt8(ascii: "|")),
        let alignments = Self.alignments(lines[lines.startIndex + 1])
      else { return nil }
      titles = Self.cells(first)
      guard titles.count == alignments.count, titles.count <= Self.maximumColumns else {
        return nil
      }
      self.alignments = alignments
      var rows: [[MarkdownBytes]] = []
      for line in lines.dropFirst(2) {
        guard case .text = Block(line) else { break }
        rows.append(Self.cells(line))
      }
      self.rows = rows
      length = rows.count + 2
    }

    /// The HTML, in an element that scrolls if the table is too wide.
    var html: String {
      var html = "<div class=\"table\" tabindex=\"0\"><table>\n<thead><tr>"
      for (title, alignment) in zip(titles, alignments) {
        html += "<th scope=\"col\"\(alignment.rawValue)>\(MarkdownText.html(title))</th>"
      }
      html += "</tr></thead>\n<tbody>\n"
      for row in rows {
        html += "<tr>"
        for (column, alignment) in alignments.enumerated() {
          html += "<td\(alignment.rawValue)>"
          if column < row.count { html += MarkdownText.html(row[column]) }
          html += "</td>"
        }
        html += "</tr>\n"
      }
      return html + "</tbody></table></div>\n"
    }

    /// Parses a delimiter row such as `| :--- | :---: | ---: |`; returns `nil` for other lines.
    private static func alignments(_ line: MarkdownBytes) -> [Alignment]? {
      guard line.contains(UInt8(ascii: "-")) else { return nil }
      var alignments: [Alignment] = []
      for cell in cells(line) {
        let (isLeft, isRight) = (cell.first == 0x3A, cell.count > 1 && cell.last == 0x3A)
        let dashes = cell.dropFirst(isLeft ? 1 : 0).dropLast(isRight ? 1 : 0)
        guard !dashes.isEmpty, dashes.allSatisfy({ $0 == UInt8(ascii: "-") }) else { return nil }
        alignments.append(isRight ? isLeft ? .center : .right : .left)
      }
      return alignments
    }

    /// Returns the cells between the bars of a line; a backslash escapes a bar.
    private static func cells(_ line: MarkdownBytes) -> [MarkdownBytes] {
      let line = line.trimmed
      var cells: [MarkdownBytes] = []
      var cell: MarkdownBytes = []
      for byte in line.first == UInt8(ascii: "|") ? line.dropFirst() : line {
        if byte != UInt8(ascii: "|") {
          cell.append(byte)
        } else if cell.last == UInt8(ascii: "\\") {
          cell[cell.endIndex - 1] = byte
        } else {
          cells.append(cell.trimmed)
          cell = []
        }
      }
      return cell.isEmpty ? cells : cells + [cell.trimmed]
    }
  }
}
