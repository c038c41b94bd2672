/// Turns the bytes that a terminal sends into keys.
///
/// A read may end within a key: the rest is kept for the next one. A lone Escape is the beginning of
/// most keys, too, so that only time tells: call ``flush()`` when nothing has come for a moment.
package struct TerminalKeyParser: Sendable {
  private static let escape: UInt8 = 0x1B
  private static let pasteEnd: [UInt8] = [escape] + "[201~".utf8
  /// No key has a longer sequence.
  private static let longest = 32

  private var rest: [UInt8] = []
  private var isPasting = false

  package init() {}

  /// Whether a key has begun that may be complete already.
  package var isPending: Bool { !rest.isEmpty && !isPasting }

  /// Reads bytes; returns the keys that they complete.
  package mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    rest += bytes
    return parse(isEnd: false)
  }

  /// Returns the keys of what has come, without waiting for more.
  package mutating func flush() -> [TerminalKey] { parse(isEnd: true) }

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
      // The beginning of something.
      if input.count == count { break }
    }
    rest = Array(input)
    return keys
  }

  /// Takes a run of UTF-8, but for a character at its end whose other bytes may still come.
  private static func text(
    _ run: ArraySlice<UInt8>, in input: inout ArraySlice<UInt8>, _ isEnd: Bool
  ) -> String {
    var run = run
    if !isEnd, run.endIndex == input.endIndex { run = run.dropLast(unfinished(run)) }
    input = input[run.endIndex...]
    // A byte that belongs to no character was typed by nobody.
    let scalars = String(decoding: run, as: UTF8.self).unicodeScalars.filter { $0 != "\u{FFFD}" }
    return String(String.UnicodeScalarView(scalars))
  }

  /// How many bytes at the end are the beginning of a character.
  private static func unfinished(_ run: ArraySlice<UInt8>) -> Int {
    for (index, byte) in run.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return length > index + 1 ? index + 1 : 0
    }
    return 0
  }

  /// Takes what is pasted, piece by piece as it comes.
  private mutating func paste(_ input: inout ArraySlice<UInt8>) -> [TerminalKey] {
    var end = input.endIndex
    // Control-C ends a paste whose end was lost on its way.
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
    var piece = input[..<end]
    let text = Self.text(piece, in: &piece, !isPasting)
    input = input[(isPasting ? piece.startIndex : end)...]
    if !isPasting, input.first == Self.escape { input = input.dropFirst(Self.pasteEnd.count) }
    return text.isEmpty
      ? [] : [.paste(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))]
  }

  /// Takes Escape, or a sequence that begins with it.
  private mutating func sequence(
    _ input: inout ArraySlice<UInt8>, _ isEnd: Bool
  ) -> [TerminalKey] {
    let bytes = input.prefix(Self.longest)
    let body = bytes.dropFirst(2)
    switch bytes.dropFirst().first {
    case nil where !isEnd: return []
    case UInt8(ascii: "O"):
      guard let final = body.first else { return take(isEnd ? 2 : 0, of: &input) }
      return take(3, of: &input, TerminalKey(sequence: final))
    case UInt8(ascii: "["):
      // The Linux console's function keys have a second bracket.
      let start = body.first == UInt8(ascii: "[") ? body.startIndex + 1 : body.startIndex
      guard let end = bytes[start...].firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
        return take(isEnd || bytes.count == Self.longest ? bytes.count : 0, of: &input)
      }
      // What no sequence has in it ends this one, and is read by itself.
      guard (0x40...0x7E).contains(bytes[end]) else {
        return take(end - bytes.startIndex, of: &input)
      }
      let parameters = String(decoding: bytes[body.startIndex..<end], as: UTF8.self)
      isPasting = bytes[end] == UInt8(ascii: "~") && parameters == "200"
      return take(
        end + 1 - bytes.startIndex, of: &input,
        start > body.startIndex ? nil : TerminalKey(sequence: bytes[end], parameters))
    // Alt and a key; or Escape and then the key, on a slow line.
    default: return take(1, of: &input, .escape)
    }
  }

  private func take(
    _ count: Int, of input: inout ArraySlice<UInt8>, _ key: TerminalKey? = nil
  ) -> [TerminalKey] {
    input = input.dropFirst(count)
    return key.map { [$0] } ?? []
  }
}
