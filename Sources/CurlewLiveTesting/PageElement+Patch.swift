import CurlewLive

extension PageElement {
  /// The name in paths of parts.
  var key: String? {
    [attributes["id"], attributes["data-key"]].compactMap(\.self).first { !$0.isEmpty }
  }

  /// The closest elements with keys in this fragment.
  private var fragments: [PageElement] {
    ["svg", "math", "noscript"].contains(name)
      ? [] : children.flatMap { $0.key == nil ? $0.fragments : [$0] }
  }

  /// Returns the only fragment with a key; `nil` if the markup was changed, or has the key twice.
  private func fragment(_ key: String) -> PageElement? {
    let found = fragments.filter { $0.key == key }
    return found.count == 1 ? found[0] : nil
  }

  /// Applies a part as the page's script does; returns false if it doesn't match the markup.
  func apply(_ part: FragmentChange) -> Bool {
    var target = self
    for key in part.path {
      guard let next = target.fragment(key) else { return false }
      target = next
    }
    for (name, value) in part.attributes ?? [:] { target.attributes[name] = value }
    guard var html = part.html else { return true }
    // Elements like those that are kept, because their names decide where other elements end.
    html = html.replacing(/<!--live:(\d+)-->/) { match in
      let kept = Int(match.1).flatMap { part.keep?[$0].first }.flatMap(target.fragment)
      return kept.map { "<\($0.name) data-live-kept=\(match.1)></\($0.name)>" } ?? ""
    }
    var next = PageElement(html, scripts: true)
    if !part.path.isEmpty {
      guard next.children.count == 1, next.children[0].name == target.name else { return false }
      next = next.children[0]
      target.attributes = next.attributes
    }
    if target.attributes["data-live-ignore"] != nil { return true }
    guard let children = target.filled(next, keeping: part.keep ?? []) else { return false }
    target.replaceChildren(with: children)
    return true
  }

  /// Returns the children of new markup, with this fragment's children in place of the elements for them.
  private func filled(_ next: PageElement, keeping ranges: [[String]]) -> [PageElement]? {
    var filled: [PageElement] = []
    for child in next.children {
      guard let index = child.attributes["data-live-kept"].flatMap({ Int($0) }) else {
        guard let children = self.filled(child, keeping: ranges) else { return nil }
        child.replaceChildren(with: children)
        filled.append(child)
        continue
      }
      guard ranges.indices.contains(index), let first = ranges[index].first.flatMap(fragment),
        let last = ranges[index].last.flatMap(fragment), let siblings = first.parent?.children,
        let start = siblings.firstIndex(where: { $0 === first }),
        let end = siblings.firstIndex(where: { $0 === last }), start <= end
      else { return nil }
      filled += siblings[start...end]
    }
    return filled
  }
}
