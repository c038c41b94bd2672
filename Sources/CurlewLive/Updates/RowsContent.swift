/// The markup of a piece of rows, each of which shows an item and an extra value.
struct RowsContent<Item: Equatable & Sendable, Extra: Equatable & Sendable>: PieceContent {
  let rows: RowValues<Item, Extra>
  let match: RowValues<Item, Extra>.Match
  let key: @Sendable (Item) -> String
  let render: @Sendable (Item, Extra) -> HTML

  private var count: Int { rows.items.count }

  func write(to text: inout String) {
    for index in rows.items.indices { row(index).write(to: &text) }
  }

  /// Returns a row without the white space around it, which would be lost if other rows were inserted.
  private func row(_ index: Int) -> HTML {
    var html = render(rows.items[index], rows.extras[index])
    html = HTML(trusted: html.shell.withoutSpaceAround, pieces: html.pieces)
    #if DEBUG
      if PieceCheck.isDue("") { PieceCheck.checkRow(html, key(index)) }
    #endif
    return html
  }

  private func key(_ index: Int) -> String { key(rows.items[index]).parsed }

  func kept() -> [MarkupSegment] {
    rows.items.isEmpty ? [] : [.keep(first: key(0), last: key(count - 1))]
  }

  // MARK: Changes

  func change(from old: any PieceContent) -> PieceChange? {
    guard let old = old as? Self else { return PieceChange(segments: [.html(text)]) }
    let match = match(old.rows, rows)
    guard !match.isSame else { return nil }
    if match.oldMiddle == match.middle,
      match.changed.allSatisfy({ isSame(old.key($0), key($0)) }),
      let parts = parts(of: match.changed, from: old)
    {
      return PieceChange(parts: parts)
    }
    // A kept row has the key that the browser knows: its old key.
    var writer = RowsWriter(key: old.key)
    writer.keep(0..<match.oldMiddle.lowerBound)
    var oldIndices: [Fragment.Identity: Int] = [:]
    for oldIndex in match.oldMiddle {
      oldIndices[Fragment.Identity(key: old.key(oldIndex))] = oldIndex
    }
    var change = PieceChange()
    for index in match.middle {
      guard let oldIndex = oldIndices.removeValue(forKey: Fragment.Identity(key: key(index)))
      else {
        writer.add([.html(row(index).text)])
        continue
      }
      guard !rows.isSame(index, as: oldIndex, of: old.rows) else {
        writer.keep(oldIndex..<oldIndex + 1)
        continue
      }
      let row = self.change(of: index, from: oldIndex, in: old)
      change.parts += row.parts
      if let segments = row.segments {
        writer.add(segments)
      } else {
        writer.keep(oldIndex..<oldIndex + 1)
      }
    }
    writer.keep(match.oldMiddle.upperBound..<old.count)
    change.segments = writer.end()
    return change
  }

  /// Returns the changes in rows that keep their index; `nil` if a row's element is replaced.
  private func parts(of indices: [Int], from old: Self) -> [FragmentChange]? {
    var parts: [FragmentChange] = []
    for index in indices {
      let row = change(of: index, from: index, in: old)
      guard row.segments == nil else { return nil }
      parts += row.parts
    }
    return parts
  }

  /// Returns the change from a row of an old state.
  private func change(of index: Int, from oldIndex: Int, in old: Self) -> PieceChange {
    var difference = MarkupDifference(from: Markup(old.row(oldIndex)), to: Markup(row(index)))
    return PieceChange(segments: difference.segments(), parts: difference.parts)
  }

  #if DEBUG
    func isSameMarkup(as old: any PieceContent) -> Bool {
      guard let old = old as? Self, let index = rows.items.indices.randomElement() else {
        return true
      }
      return CurlewLive.isSameMarkup(row(index), old.row(index))
    }
  #endif
}

/// Writes the segments of rows; consecutive kept rows become one reference.
private struct RowsWriter {
  /// A closure that returns the key of an old row.
  let key: (Int) -> String
  private var segments: [MarkupSegment] = []
  /// The current range of consecutive kept rows, by old index.
  private var run = 0..<0

  init(key: @escaping (Int) -> String) { self.key = key }

  /// Keeps old rows.
  mutating func keep(_ rows: Range<Int>) {
    if !run.isEmpty, run.upperBound == rows.lowerBound {
      run = run.lowerBound..<rows.upperBound
    } else {
      endRun()
      run = rows
    }
  }

  mutating func add(_ more: [MarkupSegment]) {
    endRun()
    segments += more
  }

  /// Returns the segments of all rows.
  mutating func end() -> [MarkupSegment] {
    endRun()
    return segments
  }

  private mutating func endRun() {
    guard !run.isEmpty else { return }
    segments.append(.keep(first: key(run.lowerBound), last: key(run.upperBound - 1)))
    run = 0..<0
  }
}

extension String {
  fileprivate var withoutSpaceAround: String {
    let text = utf8.drop(while: \.isSpace)
    return String(
      decoding: text.prefix(
        upTo: text.lastIndex { !$0.isSpace }.map(text.index(after:)) ?? text.startIndex),
      as: UTF8.self)
  }
}
