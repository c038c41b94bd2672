/// A change of one fragment of a page.
package struct LivePart: Encodable, Equatable {
  /// The keys from the root's child to the fragment.
  private(set) var path: [String]
  /// The fragment's own markup, in which comments stand for the children that it keeps.
  var html: String?
  /// The children that each comment stands for: one, or the first and the last of several.
  var keep: [[String]]?
  /// The attributes that changed; `nil` for one that was removed.
  var attributes: [String: String?]?

  init(path: [String], attributes: [String: String?]) {
    (self.path, self.attributes) = (path, attributes)
  }

  init(path: [String], _ segments: [MarkupSegment]) {
    self.path = path
    var (html, keep): (String, [[String]]) = ("", [])
    for segment in segments {
      switch segment {
      case .html(let text): html += text
      case .keep(let first, let last):
        html += "<!--live:\(keep.count)-->"
        keep.append(first == last ? [first] : [first, last])
      }
    }
    (self.html, self.keep) = (html, keep.isEmpty ? nil : keep)
  }

  /// Returns the change of the fragment in another one.
  func below(_ path: [String]) -> LivePart {
    var part = self
    part.path = path + self.path
    return part
  }

  /// Returns what changes markup into other markup.
  package static func parts(from old: Markup, to new: Markup) -> [LivePart] {
    var difference = MarkupDifference(from: old, to: new)
    let segments = difference.segments()
    return (segments.map { [LivePart(path: [], $0)] } ?? []) + difference.parts
  }

  /// Returns the attributes that differ between two elements without content; `nil` for others.
  static func attributes(from old: Fragment, to new: Fragment) -> [String: String?]? {
    guard let before = old.emptyTag.flatMap(AttributeReader.attributes),
      let after = new.emptyTag.flatMap(AttributeReader.attributes)
    else { return nil }
    return LiveUpdate.changes(from: before, to: after) ?? [:]
  }
}

/// Returns whether two texts have the same bytes; Swift takes `é` and `e` with an accent for equal.
func isSame(_ a: String?, _ b: String?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a.utf8.elementsEqual(b.utf8)
}
