/// The elements of a page's markup as a browser parses them; supports the HTML that the pages use.
struct Markup {
  /// An element with a key, and its descendants with keys.
  final class Fragment {
    let key: String
    var children: [Fragment] = []
    /// The length of its own markup, without its children.
    var length = 0

    init(_ key: String) { self.key = key }
  }

  /// The root fragment, with an empty key.
  let root = Fragment("")
  /// The errors: unclosed tags, and unmatched closing tags.
  private(set) var errors: [String] = []

  private static let void: Set<Substring> = ["input", "img", "br", "wbr", "hr", "meta", "link"]

  init(_ html: String) {
    var open: [(name: Substring, fragment: Fragment?)] = []
    var fragments = [root]
    for match in html.matches(of: /<(\/?)([a-z0-9]+)((?:[^>"]|"[^"]*")*?)(\/?)>|[^<]+|</) {
      fragments[fragments.count - 1].length += match.0.utf8.count
      guard let name = match.2 else {
        if match.0 == "<" { errors.append("a bare <") }
        continue
      }
      if match.1 == "/" {
        guard let last = open.popLast(), last.name == name else {
          errors.append("</\(name)> closes nothing")
          return
        }
        if last.fragment != nil { fragments.removeLast() }
        continue
      }
      let isDrawing = open.contains { $0.name == "svg" }
      var fragment: Fragment?
      if !isDrawing, let key = Self.key(match.3 ?? "") {
        let new = Fragment(key)
        new.length = match.0.utf8.count
        fragments[fragments.count - 1].length -= new.length
        fragments[fragments.count - 1].children.append(new)
        fragment = new
      }
      if Self.void.contains(name) { continue }
      if match.4 == "/" {
        if !isDrawing { errors.append("<\(name)/> is not closed") }
        continue
      }
      open.append((name, fragment))
      if let fragment { fragments.append(fragment) }
    }
    errors += open.map { "<\($0.name)> is not closed" }
  }

  private static func key(_ attributes: Substring) -> String? {
    let key =
      attributes.firstMatch(of: #/ id="([^"]+)"/#)?.1
      ?? attributes.firstMatch(of: #/ data-key="([^"]+)"/#)?.1
    return key.map(String.init)
  }

  /// All fragments.
  var fragments: [Fragment] {
    func all(_ one: Fragment) -> [Fragment] { [one] + one.children.flatMap(all) }
    return all(root)
  }
}
