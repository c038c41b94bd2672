/// Parses the bytes from a terminal as keys, one byte after the other.
///
/// A read may end within a key sequence. Escape is both a key and the start of most sequences, so call ``flush()`` after a
/// short time without further bytes.
struct TerminalKeyParser: Sendable {
  /// The kind of the bytes that are being collected: a text, what follows Escape, a key sequence, a message of the terminal
  /// with a text, such as its colour (ECMA-48 section 5.6), or a pasted text.
  private enum State {
    case text, escape, sequence, message, paste
  }

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd: [UInt8] = [escape] + "[201~".utf8
  /// The maximum length of a key sequence, of a message, and of a piece of a pasted text.
  private static let (sequenceLimit, messageLimit, pasteLimit) = (30, 4_096, 65_536)

  private var state = State.text
  private var bytes: [UInt8] = []
  /// Whether another Escape, and thus Alt, came before the bytes.
  private var isAlt = false
  private var keys: [TerminalKey] = []

  /// Whether there are bytes that may be a complete key.
  var isPending: Bool { state != .paste && (state != .text || !bytes.isEmpty) }

  /// Parses bytes, and returns the completed keys.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    defer { keys = [] }
    for byte in bytes { read(byte) }
    if state == .text { endText(except: unfinished) }
    return keys
  }

  /// Returns the keys of the pending bytes without waiting for more.
  mutating func flush() -> [TerminalKey] {
    guard state != .paste else { return [] }
    defer { begin(.text) }
    return state == .escape ? Array(repeating: .escape, count: isAlt ? 2 : 1) : []
  }

  private mutating func begin(_ state: State) { (self.state, bytes, isAlt) = (state, [], false) }

  private mutating func read(_ byte: UInt8) {
    switch state {
    case .text where byte < 0x20 || byte == 0x7F:
      endText()
      if byte == Self.escape { begin(.escape) } else { add(TerminalKey(control: byte)) }
    case .text:
      // Alt belongs to one character.
      if isAlt, byte & 0xC0 != 0x80 { endText() }
      bytes.append(byte)
      if isAlt, unfinished == 0 { endText() }
    case .escape: readEscape(byte)
    // The Linux console's sequences for function keys contain a second bracket.
    case .sequence
    where (0x20...0x3F).contains(byte) || (byte == UInt8(ascii: "[") && bytes.isEmpty):
      bytes.append(byte)
      if bytes.count == Self.sequenceLimit { begin(.text) }
    case .sequence: endSequence(byte)
    case .message:
      bytes.append(byte)
      // It ends with BEL or with ST, which begins with Escape; a key ends it, too.
      if byte < 0x20 || bytes.count == Self.messageLimit { begin(.text) }
      if byte < 0x20, byte != 0x07 { read(byte) }
    case .paste: readPaste(byte)
    }
  }

  private mutating func readEscape(_ byte: UInt8) {
    let isSequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O")
    if isAlt, !isSequence { keys.append(.escape) }
    switch byte {
    case Self.escape: isAlt = true
    case _ where isSequence: state = .sequence
    case _ where "]P_^X".utf8.contains(byte): begin(.message)
    // The end of a message.
    case UInt8(ascii: "\\"): begin(.text)
    default:
      begin(.text)
      if byte < 0x20 || byte == 0x7F {
        add(TerminalKey(control: byte).map { .alt($0) })
      } else {
        (bytes, isAlt) = ([byte], true)
        if unfinished == 0 { endText() }
      }
    }
  }

  private mutating func endSequence(_ byte: UInt8) {
    let (parameters, isAlt) = (String(decoding: bytes, as: UTF8.self), isAlt)
    let isPaste = byte == UInt8(ascii: "~") && parameters == "200"
    begin(isPaste ? .paste : .text)
    // An invalid byte ends the sequence, and is parsed on its own.
    guard (0x40...0x7E).contains(byte) else { return read(byte) }
    guard !parameters.hasPrefix("[") else { return }
    add(TerminalKey(sequence: byte, parameters).map { isAlt ? .alt($0) : $0 })
  }

  private mutating func readPaste(_ byte: UInt8) {
    bytes.append(byte)
    // Control-C ends a paste whose end marker was lost.
    let isInterrupted = byte == 0x03
    let isEnd =
      isInterrupted
      || byte == Self.pasteEnd.last && bytes.suffix(Self.pasteEnd.count) == Self.pasteEnd[...]
    let isPiece =
      bytes.count >= Self.pasteLimit && byte < 0x80 && !Self.pasteEnd.contains(byte)
    guard isEnd || isPiece else { return }
    add(
      text(bytes.dropLast(isInterrupted ? 1 : isEnd ? Self.pasteEnd.count : 0)).map { .paste($0) })
    begin(isEnd ? .text : .paste)
    if isInterrupted { read(byte) }
  }

  private mutating func add(_ key: TerminalKey?) { if let key { keys.append(key) } }

  /// Adds the key for the collected text.
  private mutating func endText(except count: Int = 0) {
    add(text(bytes.dropLast(count)).map { isAlt ? .alt(.text($0)) : .text($0) })
    bytes.removeFirst(bytes.count - count)
    isAlt = isAlt && count > 0
  }

  private func text(_ bytes: some Collection<UInt8>) -> String? {
    // Invalid bytes are not typed input.
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0 != "\u{FFFD}" }
    return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
  }

  /// The number of trailing bytes that form an incomplete character.
  private var unfinished: Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }
}
