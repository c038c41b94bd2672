/// Parses the bytes from a terminal as keys.
///
/// A read may end within a key sequence; its bytes are kept for the next read. Escape is both a key
/// and the start of most sequences, so call ``flush()`` after a short time without further bytes.
struct TerminalKeyParser: Sendable {
  private static let escape: UInt8 = 0x1B
  private static let pasteEnd: [UInt8] = [escape] + "[201~".utf8
  /// The maximum length of a key sequence, and of a sequence with a text.
  private static let (maximumSequenceLength, maximumTextLength) = (32, 4_096)

  private var rest: [UInt8] = []
  private var isPasting = false

  init() {}

  /// Whether there are bytes that may be a complete key.
  var isPending: Bool { !rest.isEmpty && !isPasting }

  /// Parses bytes, and returns the completed keys.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    rest += bytes
    return parse(isEnd: false)
  }

  /// Returns the keys of the pending bytes without waiting for more.
  mutating func flush() -> [TerminalKey] { parse(isEnd: true) }

  private mutating func parse(isEnd: Bool) -> [TerminalKey] {
    var (keys, input): ([TerminalKey], _) = ([], rest[...])
    while let first = input.first {
      let count = input.count
      if isPasting {
        keys += paste(&input)
      } else if first == Self.escape {
        keys += sequence(&input, isEnd)
      } else if first < 0x20 || first == 0x7F {
        input.removeFirst()
        if let key = TerminalKey(control: first) { keys.append(key) }
      } else {
        let text = Self.text(input.prefix { $0 >= 0x20 && $0 != 0x7F }, in: &input, isEnd)
        if !text.isEmpty { keys.append(.text(text)) }
      }
      // The rest is an incomplete sequence.
      if input.count == count { break }
    }
    rest = Array(input)
    return keys
  }

  /// Consumes a run of UTF-8, except a trailing character that may be incomplete.
  private static func text(
    _ run: ArraySlice<UInt8>, in input: inout ArraySlice<UInt8>, _ isEnd: Bool
  ) -> String {
    var run = run
    if !isEnd, run.endIndex == input.endIndex { run = run.dropLast(unfinished(run)) }
    input = input[run.endIndex...]
    // Invalid bytes are not typed input.
    let scalars = String(decoding: run, as: UTF8.self).unicodeScalars.filter { $0 != "\u{FFFD}" }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns the number of trailing bytes that form an incomplete character.
  private static func unfinished(_ run: ArraySlice<UInt8>) -> Int {
    for (index, byte) in run.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }

  /// Consumes pasted text, in pieces as they arrive.
  private mutating func paste(_ input: inout ArraySlice<UInt8>) -> [TerminalKey] {
    var end = input.endIndex
    // Control-C ends a paste whose end marker was lost.
    if let index = input.indices.first(where: {
      input[$0] == 0x03 || input[$0...].starts(with: Self.pasteEnd)
    }) {
      end = index
      isPasting = false
    } else if let index = input.lastIndex(of: Self.escape),
      Self.pasteEnd.starts(with: input[index...])
    {
      end = index
    }
    // The next piece may begin with the line feed of the same line break.
    if isPasting, input[..<end].last == 0x0D { end -= 1 }
    var piece = input[..<end]
    let text = Self.text(piece, in: &piece, !isPasting)
    input = input[(isPasting ? piece.startIndex : end)...]
    if !isPasting, input.first == Self.escape { input = input.dropFirst(Self.pasteEnd.count) }
    return text.isEmpty ? [] : [.paste(text)]
  }

  /// Consumes Escape, or a sequence that begins with it.
  private mutating func sequence(
    _ input: inout ArraySlice<UInt8>, _ isEnd: Bool
  ) -> [TerminalKey] {
    let bytes = input.prefix(Self.maximumSequenceLength)
    let body = bytes.dropFirst(2)
    guard let second = bytes.dropFirst().first else {
      return isEnd ? take(1, of: &input, .escape) : []
    }
    switch second {
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      // The Linux console's sequences for function keys contain a second bracket.
      let start = body.first == UInt8(ascii: "[") ? body.startIndex + 1 : body.startIndex
      guard let end = bytes[start...].firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
        return take(
          isEnd || bytes.count == Self.maximumSequenceLength ? bytes.count : 0, of: &input)
      }
      // An invalid byte ends the sequence, and is parsed on its own.
      guard (0x40...0x7E).contains(bytes[end]) else {
        return take(end - bytes.startIndex, of: &input)
      }
      let parameters = String(decoding: bytes[body.startIndex..<end], as: UTF8.self)
      isPasting = bytes[end] == UInt8(ascii: "~") && parameters == "200"
      return take(
        end + 1 - bytes.startIndex, of: &input,
        start > body.startIndex ? nil : TerminalKey(sequence: bytes[end], parameters))
    // A terminal's message with a text, such as its color, or Alt with one of these keys.
    case _ where "]P_^X".utf8.contains(second):
      return take(Self.lengthOfText(input.prefix(Self.maximumTextLength), isEnd), of: &input)
    case Self.escape:
      guard let third = body.first else { return isEnd ? take(1, of: &input, .escape) : [] }
      guard third == UInt8(ascii: "[") || third == UInt8(ascii: "O") else {
        return take(1, of: &input, .escape)
      }
      // Alt with a key that has a sequence.
      var rest = input.dropFirst()
      let keys = sequence(&rest, isEnd)
      if rest.count < input.count - 1 { input = rest }
      return keys.map { .alt($0) }
    case 0..<0x20, 0x7F:
      return take(2, of: &input, TerminalKey(control: second).map { .alt($0) })
    default:
      let length = second >= 0xF0 ? 4 : second >= 0xE0 ? 3 : second >= 0xC0 ? 2 : 1
      let rest = body.prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }
      if rest.count < length - 1, rest.count == body.count, !isEnd { return [] }
      var character = bytes[...(rest.endIndex - 1)].dropFirst()
      let text = Self.text(character, in: &character, true)
      return take(2 + rest.count, of: &input, text.isEmpty ? nil : .alt(.text(text)))
    }
  }

  /// Returns the length of a sequence with a text, which ends with BEL or ST (ECMA-48 section 5.6); 0 if it is
  /// incomplete.
  private static func lengthOfText(_ bytes: ArraySlice<UInt8>, _ isEnd: Bool) -> Int {
    guard let end = bytes.dropFirst(2).firstIndex(where: { $0 < 0x20 }) else {
      return isEnd || bytes.count == maximumTextLength ? bytes.count : 0
    }
    let length = end - bytes.startIndex
    if bytes[end] == 0x07 { return length + 1 }
    // A key ends it, too.
    guard bytes[end] == escape else { return length }
    guard let next = bytes[end...].dropFirst().first else { return isEnd ? length : 0 }
    return next == UInt8(ascii: "\\") ? length + 2 : length
  }

  private func take(
    _ count: Int, of input: inout ArraySlice<UInt8>, _ key: TerminalKey? = nil
  ) -> [TerminalKey] {
    input = input.dropFirst(count)
    return key.map { [$0] } ?? []
  }
}
