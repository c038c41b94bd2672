/// The markup of a piece of rows, each of which shows an item and an extra.
struct RowsContent<Item: Equatable & Sendable, Extra: Equatable & Sendable>: PieceContent {
  let items: [Item]
  /// An extra for each item; empty where they are all `none`.
  let extras: [Extra]
  let none: Extra?
  let key: @Sendable (Item) -> String
  let render: @Sendable (Item, Extra) -> HTML

  func write(to text: inout String) {
    for index in items.indices { row(index).write(to: &text) }
  }

  /// A row without white space around it, which would be lost where other rows come between.
  private func row(_ index: Int) -> HTML {
    guard let extra = extras.isEmpty ? none : extras[index] else { return HTML(trusted: "") }
    let html = render(items[index], extra)
    return HTML(trusted: html.shell.withoutSpaceAround, pieces: html.pieces)
  }

  private func key(_ index: Int) -> String { key(items[index]) }

  func kept() -> [MarkupSegment] {
    items.isEmpty ? [] : [.keep(first: key(0), last: key(items.count - 1))]
  }

  // MARK: Changes

  func change(from old: any PieceContent) -> PieceChange? {
    guard let old = old as? Self else { return PieceChange(segments: [.html(text)]) }
    let rows = RowComparison(old: old, new: self)
    guard !rows.isSame else { return nil }
    var change = PieceChange()
    if rows.haveSameKeys {
      var segments: [MarkupSegment] = []
      for index in rows.changed where segments.isEmpty {
        let row = self.change(of: index, from: index, in: old)
        change.parts += row.parts
        segments += row.segments ?? []
      }
      if segments.isEmpty { return change }
      change.parts = []
    }
    var writer = RowsWriter(key: key)
    var places: [String: Int] = [:]
    for index in rows.oldMiddle { places[old.key(index)] = index }
    for index in 0..<rows.prefix { writer.keep(index, as: index) }
    for index in rows.middle {
      guard let place = places.removeValue(forKey: key(index)) else {
        writer.add([.html(row(index).text)])
        continue
      }
      if rows.isSame(place, index) {
        writer.keep(place, as: index)
        continue
      }
      let row = self.change(of: index, from: place, in: old)
      change.parts += row.parts
      if let segments = row.segments {
        writer.add(segments)
      } else {
        writer.keep(place, as: index)
      }
    }
    for index in rows.middle.upperBound..<items.count {
      writer.keep(index - items.count + old.items.count, as: index)
    }
    change.segments = writer.segments
    return change
  }

  /// Returns how a row differs from one of another state.
  private func change(of index: Int, from place: Int, in old: Self) -> PieceChange {
    var difference = MarkupDifference(from: Markup(old.row(place)), to: Markup(row(index)))
    return PieceChange(segments: difference.segments(), parts: difference.parts)
  }

  #if DEBUG
    func isSameMarkup(as old: any PieceContent) -> Bool {
      guard let old = old as? Self, let index = items.indices.randomElement() else { return true }
      return Markup(row(index)).isSame(as: Markup(old.row(index)))
    }
  #endif
}

/// Which rows of two states are the same: from the beginning, from the end, and what is between.
private struct RowComparison<Item: Equatable & Sendable, Extra: Equatable & Sendable> {
  private let old: RowsContent<Item, Extra>
  private let new: RowsContent<Item, Extra>
  /// Whether the items are those in the same memory, and so need not be compared.
  private let areSameItems: Bool
  /// How many rows are the same at the beginning, and at the end.
  private(set) var prefix = 0
  private var suffix = 0

  var oldMiddle: Range<Int> { prefix..<(old.items.count - suffix) }
  var middle: Range<Int> { prefix..<(new.items.count - suffix) }
  var isSame: Bool { oldMiddle.isEmpty && middle.isEmpty }

  init(old: RowsContent<Item, Extra>, new: RowsContent<Item, Extra>) {
    (self.old, self.new) = (old, new)
    areSameItems =
      old.items.count == new.items.count
      && old.items.withUnsafeBufferPointer { old in
        new.items.withUnsafeBufferPointer { old.baseAddress == $0.baseAddress }
      }
    if areSameItems, old.extras == new.extras {
      prefix = new.items.count
      return
    }
    let count = min(old.items.count, new.items.count)
    while prefix < count, isSame(prefix, prefix) { prefix += 1 }
    while suffix < count - prefix,
      isSame(old.items.count - 1 - suffix, new.items.count - 1 - suffix)
    {
      suffix += 1
    }
  }

  func isSame(_ place: Int, _ index: Int) -> Bool {
    (areSameItems && place == index || old.items[place] == new.items[index])
      && (new.extras.isEmpty || old.extras[place] == new.extras[index])
  }

  /// The rows that are not the same in one place of both.
  var changed: some Sequence<Int> { middle.lazy.filter { !isSame($0, $0) } }

  /// Whether both have the same rows in the same order.
  var haveSameKeys: Bool {
    old.items.count == new.items.count
      && changed.allSatisfy { old.key(old.items[$0]) == new.key(new.items[$0]) }
  }
}

/// Writes what stands for rows, of which those that follow each other in both states are one reference.
private struct RowsWriter {
  /// Returns the key of a row.
  let key: (Int) -> String
  private var written: [MarkupSegment] = []
  /// Rows that are kept, and the place of the last one among the old rows.
  private var run: (rows: ClosedRange<Int>, place: Int)?

  init(key: @escaping (Int) -> String) { self.key = key }

  /// What stands for all rows.
  var segments: [MarkupSegment] {
    written
      + (run.map { [.keep(first: key($0.rows.lowerBound), last: key($0.rows.upperBound))] } ?? [])
  }

  mutating func keep(_ place: Int, as index: Int) {
    if let run, run.place + 1 == place {
      self.run = (run.rows.lowerBound...index, place)
    } else {
      add([])
      run = (index...index, place)
    }
  }

  mutating func add(_ segments: [MarkupSegment]) {
    written = self.segments + segments
    run = nil
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
