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

  /// Renders a template, which escapes every value in `{{ }}` if it was made with `init(html:)`.
  ///
  /// An absent value is rendered as nothing, also as an element of a list or in a dictionary of `Any`.
  ///
  /// - Parameter pieces: The parts that are rendered on their own; the template shows each by its name, as in
  ///   `{{{rows}}}`.
  public init(_ template: MustacheTemplate, _ values: Any, pieces: [LivePiece] = []) {
    self.init(
      trusted: template.render(pieces.isEmpty ? values : ValuesAndPieces(values, pieces)),
      pieces: pieces)
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

extension MustacheTemplate {
  /// Reads a template, or a part of one, whose values are escaped for HTML.
  ///
  /// The templates of other initializers escape by `Character`, so that `<` and quotes stay as they
  /// are where they form one character with what is before or after them, such as U+0600 and U+0301.
  ///
  /// - Throws: When the text is no template.
  public init(html text: String) throws {
    MustacheContentTypes.register(EscapedText(), named: EscapedText.name)
    // On a line of its own, which leaves nothing behind, and the text's first line as it is.
    try self.init(string: "{{% CONTENT_TYPE: \(EscapedText.name)}}\n" + text)
  }
}

/// The values of a template, and the markers of its pieces.
private struct ValuesAndPieces: MustacheParent {
  private let values: Any
  private let pieces: [LivePiece]

  init(_ values: Any, _ pieces: [LivePiece]) {
    (self.values, self.pieces) = (values, pieces)
  }

  func child(named name: String) -> Any? {
    if let piece = pieces.first(where: { $0.name == name }) { return piece.marker }
    if let values = values as? any MustacheParent { return values.child(named: name) }
    return Mirror(reflecting: values).children.first { $0.label == name }?.value
  }
}

/// Text that is escaped by Unicode scalars.
private struct EscapedText: MustacheContentType {
  static let name = "CurlewLive"

  func escapeText(_ text: String) -> String { HTML.escape(text) }
}

/// Without this, an optional in a dictionary of `Any`, or in a list, is rendered as `nil`, and a
/// section for it as if it were present.
extension Optional: @retroactive MustacheCustomRenderable {
  /// The text of the value; empty for none.
  public var renderText: String {
    guard let value = self else { return "" }
    return (value as? any MustacheCustomRenderable)?.renderText ?? String(describing: value)
  }

  /// Whether there is no value.
  public var isNull: Bool {
    guard let value = self else { return true }
    return (value as? any MustacheCustomRenderable)?.isNull ?? false
  }
}
