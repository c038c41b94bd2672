/// The ends of elements that have no end tag, as browsers parse them (WHATWG HTML section 13.2.6.4).
extension MarkupReader {
  private typealias Traits = ElementTraits

  /// Closes the elements that end where an element begins.
  mutating func endElements(
    before tag: Int, _ traits: ElementTraits, at position: Int
  ) throws(Malformed) {
    guard !traits.contains(.refused) else { throw Malformed() }
    if selects > 0 { return try endOptions(before: tag, at: position) }
    if traits.contains(.tablePart) { return try endTableParts(before: tag, at: position) }
    // Browsers move other elements out of the table.
    if isInTableStructure, !Traits.allowedInTable.contains(tag) { throw Malformed() }
    // Browsers copy links, ignore forms, and end or nest buttons.
    if tag == Traits.a || tag == Traits.nobr, isOpen(tag) { throw Malformed() }
    if tag == Traits.button, openIndex(of: tag) != nil { throw Malformed() }
    if tag == Traits.form, open.contains(where: { $0.tag == tag }) { throw Malformed() }
    switch tag {
    case Traits.li: try endItem([tag], at: position)
    case Traits.dd, Traits.dt: try endItem([Traits.dd, Traits.dt], at: position)
    case Traits.rp, Traits.rt:
      guard let top = open.last?.tag, top == Traits.rp || top == Traits.rt else { break }
      guard openIndex(of: Traits.ruby) != nil else { throw Malformed() }
      try close(from: open.count - 1, at: position)
    case Traits.option, Traits.optgroup: try endOptions(before: tag, at: position)
    default: break
    }
    if traits.contains(.endsParagraph), let index = openIndex(of: Traits.p) {
      try close(from: index, at: position)
    }
    if traits.contains(.heading), open.last?.traits.contains(.heading) == true { throw Malformed() }
  }

  /// Whether a piece may end elements around it, so that it can't be read separately.
  var endsWithPiece: Bool {
    openIndex(of: Traits.p) != nil || openIndex(of: Traits.button) != nil || isOpen(Traits.a)
      || isOpen(Traits.nobr) || open.last?.traits.contains(.heading) == true
  }

  /// Whether the current element is a table, or a part of it that contains only parts.
  var isInTableStructure: Bool {
    opaque == 0 && (open.last?.traits.contains(.tableStructure) ?? isRows)
  }

  /// Closes the elements that an end tag ends; returns whether it ends an element.
  mutating func endElements(by tag: Int, at start: Int) throws(Malformed) -> Bool {
    if opaque > 0 {
      guard open.last?.tag == tag else { throw Malformed() }
      return true
    }
    guard let index = openIndex(of: tag) else {
      // The end tag of an element that has ended before has no effect, or creates an empty paragraph.
      guard !isInTableStructure, let early = closedEarly.lastIndex(of: tag) else {
        throw Malformed()
      }
      closedEarly.remove(at: early)
      return false
    }
    let isTablePart = open[index].traits.contains(.tablePart) || tag == Traits.table
    for element in open[(index + 1)...].reversed() {
      let canEnd =
        element.traits.contains(.optionalEnd) || isTablePart && element.traits.contains(.tablePart)
      guard canEnd, !open[index].traits.contains(.formatting) else { throw Malformed() }
      closeNewest(contentEnd: start, end: start)
    }
    return true
  }

  /// Closes the open elements from an index at a position.
  private mutating func close(from index: Int, at position: Int) throws(Malformed) {
    guard !open[index...].contains(where: { $0.traits.contains(.formatting) }) else {
      throw Malformed()
    }
    while open.count > index {
      closedEarly.append(open[open.count - 1].tag)
      closeNewest(contentEnd: position, end: position)
    }
  }

  /// Returns the index of the newest open element with a tag that a tag can end.
  private func openIndex(of tag: Int) -> Int? {
    if open.last?.tag == tag { return open.count - 1 }
    let traits = ElementTraits.all[tag] ?? []
    let isTable = traits.contains(.tablePart) || tag == Traits.table
    for (index, element) in open.enumerated().reversed() {
      if element.tag == tag { return index }
      let ends =
        switch element.tag {
        case Traits.table: true
        case _ where isTable: false
        case Traits.button: tag == Traits.p
        case Traits.ol, Traits.ul: tag == Traits.li
        default: element.traits.contains(.scope)
        }
      if ends || !traits.contains(.special) && element.traits.contains(.special) { return nil }
    }
    return nil
  }

  /// Returns whether a formatting element is open, also outside of other elements.
  private func isOpen(_ tag: Int) -> Bool {
    for element in open.reversed() {
      if element.tag == tag { return true }
      if element.traits.contains(.scope), element.tag != Traits.table, element.tag != Traits.select
      {
        return false
      }
    }
    return false
  }

  private mutating func endItem(_ tags: [Int], at position: Int) throws(Malformed) {
    for (index, element) in open.enumerated().reversed() {
      if tags.contains(element.tag) { return try close(from: index, at: position) }
      if element.traits.contains(.special), !Traits.transparent.contains(element.tag) { return }
    }
  }

  private mutating func endOptions(before tag: Int, at position: Int) throws(Malformed) {
    guard !Traits.refusedInSelect.contains(tag) else { throw Malformed() }
    guard [Traits.option, Traits.optgroup, Traits.hr].contains(tag) else { return }
    if open.last?.tag == Traits.option { try close(from: open.count - 1, at: position) }
    if tag != Traits.option, open.last?.tag == Traits.optgroup {
      try close(from: open.count - 1, at: position)
    }
  }

  private mutating func endTableParts(before tag: Int, at position: Int) throws(Malformed) {
    let parents: Set<Int> =
      switch tag {
      case Traits.td, Traits.th: [Traits.tr, Traits.tbody, Traits.thead, Traits.tfoot]
      case Traits.tr: [Traits.tbody, Traits.thead, Traits.tfoot]
      case Traits.col: [Traits.colgroup]
      default: []
      }
    while let top = open.last, top.tag != Traits.table, !parents.contains(top.tag) {
      guard top.traits.contains(.optionalEnd) || top.traits.contains(.tablePart) else {
        throw Malformed()
      }
      try close(from: open.count - 1, at: position)
    }
    guard !open.isEmpty || isRows else { throw Malformed() }
  }
}
