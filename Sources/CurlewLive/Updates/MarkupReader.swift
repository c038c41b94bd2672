/// A parser that divides markup into fragments (WHATWG HTML section 13.2.5, limited to the
/// beginnings and ends of elements).
///
/// Elements without an end tag end where browsers end them. Markup in which browsers move, copy or ignore elements is
/// a single fragment, and is always sent completely.
package struct MarkupReader {
  struct OpenElement {
    let tag: Int
    let traits: ElementTraits
    /// Whether the element is a fragment.
    let isFragment: Bool
    /// Whether the element can't contain fragments: an element of another namespace, or a template.
    let isOpaque: Bool
    /// The start of the element's content if updates don't change the content.
    let ignored: Int?
  }

  /// The error for markup that can't be divided.
  struct Malformed: Error {}

  /// The maximum number of elements that are open at the same time; browsers stop at 512.
  private static let depth = 200

  private let markup: UnsafeRawBufferPointer
  private var position = 0
  private(set) var open: [OpenElement] = []
  private var fragments = [Fragment(key: "", tag: 0, start: 0)]
  private(set) var opaque = 0
  /// The number of open `select` elements, in which only options are fragments.
  private(set) var selects = 0
  /// Whether the markup is a part of a table, such as rows, without the table.
  private(set) var isRows = false
  /// The elements that have ended before their end tag.
  var closedEarly: [Int] = []
  /// The number of open elements whose content updates don't change.
  private var ignored = 0
  /// The number of further fragments that are allowed.
  private var room: Int

  private init(_ markup: UnsafeRawBufferPointer, limit: Int) {
    self.markup = markup
    room = limit
  }

  /// Returns the fragment of the root's content; it has no children if the markup can't be divided,
  /// or has more fragments than `limit`.
  package static func read(_ markup: UnsafeRawBufferPointer, limit: Int) -> Fragment {
    var reader = Self(markup, limit: limit)
    if let root = try? reader.readAll() { return root }
    var root = Fragment(key: "", tag: 0, start: 0)
    root.close(at: markup.count, in: markup)
    return root
  }

  private mutating func readAll() throws(Malformed) -> Fragment {
    while let tag = markup[position...].firstIndex(of: UInt8(ascii: "<")) {
      // Browsers move text out of a table.
      if isInTableStructure, !markup[position..<tag].allSatisfy(\.isSpace) { throw Malformed() }
      position = tag + 1
      switch byte(at: position) {
      case UInt8(ascii: "!"): try skipDeclaration()
      case UInt8(ascii: "/"): try readEndTag()
      case let first? where first.isLetter: try readStartTag()
      // Text, such as `a < b`.
      default: if isInTableStructure { throw Malformed() }
      }
    }
    guard open.isEmpty, var root = fragments.popLast() else { throw Malformed() }
    root.close(at: markup.count, in: markup)
    return root
  }

  private func byte(at position: Int) -> UInt8? {
    position < markup.count ? markup[position] : nil
  }

  /// Skips a comment or a declaration.
  private mutating func skipDeclaration() throws(Malformed) {
    let start = position
    let isComment = markup[start...].starts(with: "!--".utf8)
    // The comment would be mistaken for a placeholder in a `FragmentChange`.
    if markup[start...].starts(with: "!--live:".utf8) { throw Malformed() }
    while let end = markup[position...].firstIndex(of: UInt8(ascii: ">")) {
      position = end + 1
      if !isComment || end >= start + 5 && markup[end - 2..<end].elementsEqual("--".utf8) {
        addPiece(start - 1..<position)
        return
      }
    }
    throw Malformed()
  }

  /// Adds a piece if a comment is the marker of a piece.
  private mutating func addPiece(_ comment: Range<Int>) {
    let start = LivePiece.markerStart.utf8
    guard opaque == 0, ignored == 0, !endsWithPiece, markup[comment].starts(with: start) else {
      return
    }
    let name = markup[comment].dropFirst(start.count).dropLast(3)
    fragments[fragments.count - 1].append(
      Fragment(piece: String(decoding: name, as: UTF8.self), comment), in: markup)
  }

  private mutating func readEndTag() throws(Malformed) {
    let start = position - 1
    position += 1
    let tag = fingerprint(of: readName())
    guard let end = markup[position...].firstIndex(of: UInt8(ascii: ">")) else {
      throw Malformed()
    }
    position = end + 1
    if try endElements(by: tag, at: start) { closeNewest(contentEnd: start, end: position) }
  }

  /// Closes the newest open element.
  mutating func closeNewest(contentEnd: Int, end: Int) {
    let element = open.removeLast()
    if element.isOpaque { opaque -= 1 }
    if element.tag == ElementTraits.select { selects -= 1 }
    if let content = element.ignored {
      ignored -= 1
      if ignored == 0 { fragments[fragments.count - 1].ignore(content..<contentEnd) }
    }
    if element.isFragment { closeFragment(at: end) }
  }

  private mutating func readStartTag() throws(Malformed) {
    let start = position - 1
    let name = readName()
    let tag = fingerprint(of: name)
    let traits = ElementTraits.all[tag] ?? []
    var attributes = AttributeReader(markup, at: position)
    guard let end = attributes.skip() else { throw Malformed() }
    position = end
    // In HTML, the slash of `<div/>` has no effect.
    let isForeign = traits.contains(.foreign)
    let isEmpty =
      traits.contains(.void) || (opaque > 0 || isForeign) && markup[end - 2] == UInt8(ascii: "/")
    if traits.contains(.tablePart), markup[..<start].allSatisfy(\.isSpace) { isRows = true }
    if opaque == 0 {
      try endElements(before: tag, traits, at: start)
    } else if !traits.isDisjoint(with: [.endsParagraph, .formatting, .endsForeign]),
      tag != ElementTraits.a,
      isDirectlyInForeign
    {
      // The element ends the element of the other namespace.
      throw Malformed()
    }
    let isFragment = selects == 0 || tag == ElementTraits.option || tag == ElementTraits.optgroup
    let key = opaque == 0 && ignored == 0 && isFragment ? attributes.key : nil
    if let key {
      room -= 1
      guard room >= 0 else { throw Malformed() }
      fragments.append(Fragment(key: key, tag: tag, start: start))
    }
    if isEmpty {
      if key != nil { closeFragment(at: end, isEmpty: traits.contains(.void)) }
      return
    }
    guard open.count < Self.depth else { throw Malformed() }
    if traits.contains(.raw), opaque == 0 || !isDirectlyInForeign { try skipText(until: name) }
    let isOpaque = isForeign || tag == ElementTraits.template
    if isOpaque { opaque += 1 }
    if tag == ElementTraits.select { selects += 1 }
    if attributes.isIgnored { ignored += 1 }
    open.append(
      OpenElement(
        tag: tag, traits: traits, isFragment: key != nil, isOpaque: isOpaque,
        ignored: attributes.isIgnored ? end : nil))
  }

  /// Moves to the end tag of an element whose content is text.
  private mutating func skipText(until name: Range<Int>) throws(Malformed) {
    while let tag = markup[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = tag + 1
      let end = tag + 2 + name.count
      if end < markup.count, markup[tag + 1] == UInt8(ascii: "/"), isSame(name, tag + 2..<end),
        !markup[end].isLetter
      {
        position = tag
        return
      }
    }
    throw Malformed()
  }

  /// Whether the current element belongs to another namespace, and can't contain HTML.
  private var isDirectlyInForeign: Bool {
    let around = open.last { element in
      element.tag == ElementTraits.template
        || !element.traits.isDisjoint(with: [.foreign, .integration])
    }
    return around?.traits.contains(.foreign) == true
  }

  private mutating func closeFragment(at end: Int, isEmpty: Bool = false) {
    var fragment = fragments.removeLast()
    fragment.close(at: end, isEmpty: isEmpty, in: markup)
    fragments[fragments.count - 1].append(fragment, in: markup)
  }

  private mutating func readName() -> Range<Int> {
    let start = position
    while let byte = byte(at: position), !byte.endsName { position += 1 }
    return start..<position
  }

  private func fingerprint(of name: Range<Int>) -> Int {
    guard markup[name].contains(where: \.isUppercase) else {
      return CurlewLive.fingerprint(UnsafeRawBufferPointer(rebasing: markup[name]))
    }
    return markup[name].map(\.lowercased).withUnsafeBytes { CurlewLive.fingerprint($0) }
  }

  private func isSame(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { markup[$0].lowercased == markup[$1].lowercased }
  }
}

extension UInt8 {
  var isUppercase: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }

  var lowercased: UInt8 { isUppercase ? self | 0x20 : self }

  fileprivate var isLetter: Bool {
    lowercased >= UInt8(ascii: "a") && lowercased <= UInt8(ascii: "z")
  }

  /// Whether the byte is an ASCII letter or digit.
  var isLetterOrDigit: Bool { isLetter || self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// Whether the byte is HTML white space.
  var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D }

  /// Whether a tag's or an attribute's name ends before the byte.
  var endsName: Bool {
    isSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") || self == UInt8(ascii: "=")
  }
}
