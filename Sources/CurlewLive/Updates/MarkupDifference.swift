/// A part of a fragment's markup in an update.
enum MarkupSegment: Equatable {
  case html(String)
  /// The children from the first key to the last, and the text between them, which the browser already has.
  case keep(first: String, last: String)
}

/// The changes of fragments that turn old markup into new markup.
struct MarkupDifference {
  private let old: Markup
  private let new: Markup
  /// The changes inside fragments that are kept.
  private(set) var parts: [FragmentChange] = []

  init(from old: Markup, to new: Markup) {
    (self.old, self.new) = (old, new)
  }

  /// Returns the segments of the root's content; `nil` if only fragments inside it have changed.
  mutating func segments() -> [MarkupSegment]? { segments(from: old.root, to: new.root, path: []) }

  /// Returns the segments of the root's content, even if it has not changed.
  mutating func allSegments() -> [MarkupSegment] {
    segments(from: old.root, to: new.root, path: [], isOther: true) ?? []
  }

  private mutating func add(from old: Fragment, to new: Fragment, path: [String]) {
    if old.shell != new.shell, let attributes = FragmentChange.attributes(from: old, to: new) {
      parts.append(FragmentChange(path: path, attributes: attributes))
      return
    }
    let index = parts.count
    if let segments = segments(from: old, to: new, path: path) {
      parts.insert(FragmentChange(path: path, segments), at: index)
    }
  }

  /// Returns the segments of a fragment's markup, and adds the changes inside the fragments that are kept; returns
  /// `nil` if the fragment's own markup has not changed.
  private mutating func segments(
    from old: Fragment, to new: Fragment, path: [String], isOther: Bool = false
  ) -> [MarkupSegment]? {
    let indices = Dictionary(uniqueKeysWithValues: zip(old.children.lazy.map(\.identity), 0...))
    let kept = new.children.map { child in
      indices[child.identity].flatMap { old.children[$0].tag == child.tag ? $0 : nil }
    }
    var changes: [Int: PieceChange] = [:]
    for (index, child) in new.children.enumerated() where child.isPiece && kept[index] != nil {
      changes[index] = change(ofPiece: child.key)
    }
    let isOther =
      isOther || old.shell != new.shell || changes.values.contains { $0.segments != nil }
    let segments = isOther ? segments(of: new, keeping: kept, of: old, changes) : nil
    for (index, child) in new.children.enumerated() {
      if child.isPiece {
        for part in changes[index]?.parts ?? [] { parts.append(part.below(path)) }
      } else if let oldIndex = kept[index] {
        add(from: old.children[oldIndex], to: child, path: path + [child.key])
      }
    }
    return segments
  }

  /// Returns the change of a piece that is in the same fragment as before; `nil` if it has not changed.
  private func change(ofPiece name: String) -> PieceChange? {
    guard let now = new[piece: name] else { return nil }
    guard let before = old[piece: name] else { return PieceChange(segments: [.html(now.text)]) }
    let change = now.change(from: before)
    #if DEBUG
      if change == nil, PieceCheck.isDue(name), !now.isSameMarkup(as: before) {
        PieceCheck.stop(name)
      }
    #endif
    return change
  }

  /// - Parameter kept: For each child of the fragment, its index among the old children; `nil` for a new child.
  private func segments(
    of fragment: Fragment, keeping kept: [Int?], of old: Fragment, _ changes: [Int: PieceChange]
  ) -> [MarkupSegment] {
    var segments: [MarkupSegment] = []
    var position = fragment.start
    func copy(until end: Int) {
      if end > position { segments.append(.html(new.html(position..<end))) }
      position = end
    }
    let children = fragment.children
    var index = 0
    while index < children.count {
      let first = index
      copy(until: children[first].start)
      if children[first].isPiece {
        if kept[first] != nil, let piece = new[piece: children[first].key] {
          segments += changes[first]?.segments ?? piece.kept()
          position = children[first].end
        } else {
          copy(until: children[first].end)
        }
      } else if var oldIndex = kept[first] {
        // Consecutive children in the same order, with the same text between them, become one reference.
        while index + 1 < children.count, !children[index + 1].isPiece,
          kept[index + 1] == oldIndex + 1,
          let gap = children[index + 1].gap, gap == old.children[oldIndex + 1].gap
        {
          (index, oldIndex) = (index + 1, oldIndex + 1)
        }
        segments.append(.keep(first: children[first].key, last: children[index].key))
        position = children[index].end
      } else {
        copy(until: children[first].end)
      }
      index += 1
    }
    copy(until: fragment.end)
    return segments
  }
}
