public import Mustache

/// Markup that is safe to send: untrusted values were escaped when it was created.
public struct HTML: Sendable, Equatable {
  /// The markup, with a marker in place of each piece.
  let shell: String
  let pieces: [LivePiece]

  /// The complete markup, including the pieces.
  public var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Creates markup by rendering a Mustache template.
  ///
  /// A template made with `init(html:)` escapes every value in `{{ }}`; an ``HTMLTemplate`` also checks its names, and
  /// supports pieces.
  ///
  /// A `nil` value in dictionaries and arrays is rendered as an empty text.
  public init(_ template: MustacheTemplate, _ values: Any) {
    self.init(trusted: template.render(rendered(values)))
  }

  /// Creates markup from a string that is already safe, without escaping it.
  ///
  /// - Parameters:
  ///   - text: The markup.
  ///   - pieces: The parts that are rendered separately; the text contains the ``LivePiece/marker`` of each
  ///     piece.
  public init(trusted text: String, pieces: [LivePiece] = []) {
    precondition(
      Set(pieces.lazy.map(\.name)).count == pieces.count,
      "Two pieces have the same name: each piece needs its own.")
    (shell, self.pieces) = (text, pieces)
  }

  /// Creates markup that shows a text, with its special characters escaped.
  public init(text: String) {
    self.init(trusted: Self.escape(text))
  }

  /// Returns the markup without bidirectional control characters (UAX #9), with which untrusted text can disguise the
  /// text after it; the pieces are not changed.
  public func removingDirectionControls() -> HTML {
    // In UTF-8, all direction controls begin with this byte, and few other characters do.
    guard shell.utf8.contains(0xE2), shell.unicodeScalars.contains(where: \.isDirectionControl)
    else { return self }
    let scalars = shell.unicodeScalars.filter { !$0.isDirectionControl }
    return HTML(trusted: String(String.UnicodeScalarView(scalars)), pieces: pieces)
  }

  /// Returns whether two values have the same complete markup.
  public static func == (lhs: HTML, rhs: HTML) -> Bool { lhs.text == rhs.text }

  func write(to text: inout String) {
    Self.write(shell[...], pieces, to: &text)
  }

  /// Writes a part of a shell, and replaces each marker in it with the piece's markup.
  static func write(_ shell: Substring, _ pieces: [LivePiece], to text: inout String) {
    var rest = shell
    while !pieces.isEmpty, let start = rest.utf8.firstRange(of: LivePiece.markerStart.utf8),
      let end = rest.utf8[start.upperBound...].firstRange(of: "-->".utf8)
    {
      let piece = pieces.first { $0.name == rest[start.upperBound..<end.lowerBound] }
      text += rest[..<(piece == nil ? end.upperBound : start.lowerBound)]
      piece?.content.write(to: &text)
      rest = rest[end.upperBound...]
    }
    text += rest
  }

  /// The number of piece markers in the shell.
  var markerCount: Int {
    let marker = LivePiece.markerStart.utf8
    var (rest, count) = (shell.utf8[...], 0)
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      if rest.starts(with: marker) { count += 1 }
      rest = rest.dropFirst()
    }
    return count
  }

  /// Returns a text with the five special characters of HTML escaped.
  static func escape(_ text: String) -> String {
    // Comparing bytes is enough: in UTF-8, the bytes of the five ASCII characters occur in no other character.
    guard text.utf8.contains(where: { reference($0) != nil }) else { return text }
    var text = text
    return text.withUTF8 { bytes in
      var escaped = ""
      var start = 0
      for (index, byte) in bytes.enumerated() {
        guard let reference = reference(byte) else { continue }
        escaped += String(decoding: bytes[start..<index], as: UTF8.self)
        escaped += reference
        start = index + 1
      }
      return escaped + String(decoding: bytes[start...], as: UTF8.self)
    }
  }

  private static func reference(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isDirectionControl: Bool {
    (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
  }
}
