/// A change of one fragment of a page.
package struct LivePart: Encodable, Equatable {
  /// The keys from the root's child to the fragment.
  let path: [String]
  /// The fragment's own markup, in which comments stand for the children that it keeps.
  var html: String?
  /// The children that each comment stands for: one, or the first and the last of several.
  var keep: [[String]]?
  /// The attributes that changed; `nil` for one that was removed.
  var attributes: [String: String?]?

  /// Returns what changes a screen's fragments into others.
  ///
  /// - Parameter markup: The markup of the new ones.
  package static func parts(
    from old: Fragment, to new: Fragment, in markup: UnsafeRawBufferPointer
  ) -> [LivePart] {
    var parts: [LivePart] = []
    add(from: old, to: new, path: [], in: markup, to: &parts)
    return parts
  }

  private static func add(
    from old: Fragment, to new: Fragment, path: [String], in markup: UnsafeRawBufferPointer,
    to parts: inout [LivePart]
  ) {
    guard old.shell != new.shell else {
      // Their children have the same keys, in the same order.
      for (old, new) in zip(old.children, new.children) {
        add(from: old, to: new, path: path + [new.key], in: markup, to: &parts)
      }
      return
    }
    if let attributes = attributes(from: old, to: new) {
      parts.append(LivePart(path: path, attributes: attributes))
      return
    }
    let indices = Dictionary(uniqueKeysWithValues: zip(old.children.map(\.key), 0...))
    let kept = new.children.map { child in
      indices[child.key].flatMap { old.children[$0].tag == child.tag ? $0 : nil }
    }
    parts.append(part(of: new, keeping: kept, of: old, path: path, in: markup))
    for (child, index) in zip(new.children, kept) {
      guard let index else { continue }
      add(from: old.children[index], to: child, path: path + [child.key], in: markup, to: &parts)
    }
  }

  /// Returns the attributes that differ between two elements without content; `nil` for others.
  private static func attributes(from old: Fragment, to new: Fragment) -> [String: String?]? {
    guard let before = old.emptyTag.flatMap(AttributeReader.attributes),
      let after = new.emptyTag.flatMap(AttributeReader.attributes)
    else { return nil }
    return LiveUpdate.changes(from: before, to: after) ?? [:]
  }

  /// - Parameter kept: For each child of the fragment its index among the old ones; `nil` for a new one.
  private static func part(
    of new: Fragment, keeping kept: [Int?], of old: Fragment, path: [String],
    in markup: UnsafeRawBufferPointer
  ) -> LivePart {
    var html = ""
    var keep: [[String]] = []
    var position = new.start
    func copy(until end: Int) {
      html += String(decoding: markup[position..<end], as: UTF8.self)
      position = end
    }
    var index = 0
    while index < new.children.count {
      let first = index
      copy(until: new.children[first].start)
      if var place = kept[first] {
        // What stays in its order, with the same text between, is one reference.
        while index + 1 < new.children.count, kept[index + 1] == place + 1,
          let gap = new.children[index + 1].gap, gap == old.children[place + 1].gap
        {
          (index, place) = (index + 1, place + 1)
        }
        html += "<!--live:\(keep.count)-->"
        keep.append(
          first == index
            ? [new.children[first].key] : [new.children[first].key, new.children[index].key])
        position = new.children[index].end
      } else {
        copy(until: new.children[first].end)
      }
      index += 1
    }
    copy(until: new.end)
    return LivePart(path: path, html: html, keep: keep.isEmpty ? nil : keep)
  }
}

/// Returns whether two texts have the same bytes; Swift takes `é` and `e` with an accent for equal.
func isSame(_ a: String?, _ b: String?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a.utf8.elementsEqual(b.utf8)
}
