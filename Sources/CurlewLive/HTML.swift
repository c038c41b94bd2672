public import Mustache

/// Markup that is safe to send: values from outside were escaped when it was created.
public struct HTML: Sendable, Equatable {
  /// The markup, in which markers stand for the pieces.
  let shell: String
  let pieces: [LivePiece]

  /// The whole markup.
  public var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Renders a Mustache template, which escapes every value in `{{ }}` if it was made with `init(html:)`; an
  /// ``HTMLTemplate`` also checks its names, and has pieces.
  ///
  /// An absent value is rendered as nothing, also as an element of a list or in a dictionary of `Any`.
  public init(_ template: MustacheTemplate, _ values: Any) {
    self.init(trusted: template.render(values))
  }

  /// Creates markup from a string that is already safe, without escaping it.
  ///
  /// - Parameter pieces: The parts that are rendered on their own; the text has the ``LivePiece/marker`` of each.
  public init(trusted text: String, pieces: [LivePiece] = []) {
    precondition(
      Set(pieces.lazy.map(\.name)).count == pieces.count, "Two pieces have the same name.")
    (shell, self.pieces) = (text, pieces)
  }

  /// Creates markup that shows a text: its special characters are escaped.
  public init(text: String) {
    self.init(trusted: Self.escape(text))
  }

  /// Returns the markup without the characters that change the direction of the text around them (UAX #9), by which a
  /// text from outside can disguise what follows it; its pieces are left as they are.
  public func removingDirectionControls() -> HTML {
    // All of them begin with this byte in UTF-8, and few others do.
    guard shell.utf8.contains(0xE2), shell.unicodeScalars.contains(where: \.isDirectionControl)
    else { return self }
    let scalars = shell.unicodeScalars.filter { !$0.isDirectionControl }
    return HTML(trusted: String(String.UnicodeScalarView(scalars)), pieces: pieces)
  }

  /// Returns whether two have the same text.
  public static func == (lhs: HTML, rhs: HTML) -> Bool { lhs.text == rhs.text }

  func write(to text: inout String) {
    Self.write(shell[...], pieces, to: &text)
  }

  /// Writes a part of a shell and, for each marker in it, the piece.
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

  /// How many markers of pieces there are.
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
    // By bytes: in UTF-8, those of the five are in no other character.
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
