import CurlewLive
import Foundation

/// Reads markup as browsers do, except for misnested elements.
struct PageReader {
  private static let rawText: Set = ["script", "style", "textarea", "title"]
  private static let cells: Set = ["td", "th"]
  private static let rows: Set = ["td", "th", "tr", "tbody", "thead"]
  /// The open elements that a start tag ends, by its name.
  private static let implied: [String: Set<String>] = [
    "li": ["li"], "dt": ["dt", "dd"], "dd": ["dt", "dd"], "option": ["option"],
    "optgroup": ["option", "optgroup"], "tr": cells.union(["tr"]), "td": cells, "th": cells,
    "tbody": rows, "tfoot": rows,
  ]
  private let bytes: [UInt8]
  private let scripts: Bool
  private var index = 0

  init(_ html: String, scripts: Bool) {
    (bytes, self.scripts) = (Array(html.utf8), scripts)
  }

  mutating func read(into root: PageElement) {
    var open = [root]
    while index < bytes.count {
      let parent = open[open.count - 1]
      guard bytes[index] == UInt8(ascii: "<") else {
        parent.append(PageElement("#text", content: Self.decoded(text(until: "<"))))
        continue
      }
      if bytes[index...].starts(with: "<!--".utf8) {
        _ = text(until: "-->")
        index += 3
        continue
      }
      let tag = tag()
      let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
        .lowercased()
      if tag.hasPrefix("/") {
        guard let last = open.lastIndex(where: { $0.name == name }), last > 0 else { continue }
        open.removeSubrange(last...)
        continue
      }
      guard !name.isEmpty else { continue }
      let traits = ElementTraits.all[ElementTraits.id(name)] ?? []
      while let last = open.last?.name,
        Self.implied[name]?.contains(last) ?? (last == "p" && traits.contains(.endsParagraph))
      { open.removeLast() }
      let element = PageElement(name, Self.attributes(of: tag))
      open[open.count - 1].append(element)
      if traits.contains(.void) || tag.hasSuffix("/") { continue }
      guard Self.rawText.contains(name) || (name == "noscript" && scripts) else {
        // The content of a template is not in the document.
        open.append(name == "template" ? PageElement(name) : element)
        continue
      }
      let content = text(until: "</\(name)")
      if ["textarea", "title"].contains(name) {
        element.append(PageElement("#text", content: Self.decoded(content)))
      }
      _ = self.tag()
    }
  }

  /// Reads the text up to an end.
  private mutating func text(until end: String) -> String {
    let start = index
    while index < bytes.count, !bytes[index...].starts(with: end.utf8) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Reads a tag and its `>`, the first one outside of quotation marks.
  private mutating func tag() -> Substring {
    let start = min(index + 1, bytes.count)
    var quote: UInt8?
    while index < bytes.count, quote != nil || bytes[index] != UInt8(ascii: ">") {
      let byte = bytes[index]
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == 0x22 || byte == 0x27 {
        quote = byte
      }
      index += 1
    }
    index += 1
    return Substring(
      decoding: bytes[start..<max(start, min(index - 1, bytes.count))], as: UTF8.self)
  }

  private static func attributes(of tag: Substring) -> [String: String] {
    let list = tag.drop { !$0.isWhitespace }
    let pairs = list.matches(of: /([^\s=\/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?/).map
    {
      (String($0.1).lowercased(), decoded(String($0.2 ?? $0.3 ?? $0.4 ?? "")))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Returns a text without character references.
  private static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    return text.replacing(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|(\w+));/) { match in
      let code = match.1.flatMap { UInt32($0) } ?? match.2.flatMap { UInt32($0, radix: 16) }
      if let scalar = code.flatMap(Unicode.Scalar.init) { return String(Character(scalar)) }
      let names = ["lt": "<", "gt": ">", "quot": "\"", "amp": "&", "apos": "'", "nbsp": "\u{A0}"]
      return match.3.flatMap { names[String($0)] } ?? String(match.0)
    }
  }
}
