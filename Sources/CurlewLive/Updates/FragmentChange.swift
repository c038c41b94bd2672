/// A change of one fragment of a page.
package struct FragmentChange: Codable, Equatable {
  /// The keys from the root's child to the fragment.
  package private(set) var path: [String]
  /// The fragment's own markup, with comments as placeholders for the children that are kept.
  package var html: String?
  /// The keys of the children that each comment replaces: a single key, or the first and the last
  /// key of several children.
  package var keep: [[String]]?
  /// The changed attributes; the value of a removed attribute is `nil`.
  package var attributes: [String: String?]?

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

  /// Returns the change with the path of an enclosing fragment before its own path.
  func below(_ path: [String]) -> FragmentChange {
    var part = self
    part.path = path + self.path
    return part
  }

  /// Returns the changes that turn old markup into new markup.
  package static func parts(from old: Markup, to new: Markup) -> [FragmentChange] {
    var difference = MarkupDifference(from: old, to: new)
    let segments = difference.segments()
    return (segments.map { [FragmentChange(path: [], $0)] } ?? []) + difference.parts
  }

  /// Returns the attributes that differ between two void elements; `nil` if the attributes can't be
  /// compared.
  static func attributes(from old: Fragment, to new: Fragment) -> [String: String?]? {
    guard let before = old.emptyTag.flatMap(AttributeReader.attributes),
      let after = new.emptyTag.flatMap(AttributeReader.attributes)
    else { return nil }
    return LiveUpdate.changes(from: before, to: after) ?? [:]
  }
}

/// Returns whether two texts have the same bytes; `==` treats precomposed and decomposed `é` as
/// equal.
func isSame(_ a: String?, _ b: String?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return a.utf8.elementsEqual(b.utf8)
}
