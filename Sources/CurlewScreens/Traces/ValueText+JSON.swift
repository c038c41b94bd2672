import Foundation

extension ValueText {
  /// Returns Swift code that decodes a value with structures from JSON, because an initializer with all properties may
  /// not exist or not be visible; `nil` if the value is plain, or is not encodable.
  ///
  /// The code has a placeholder if the JSON has a secret that is not a text.
  static func json(_ value: Any) -> String? {
    guard !isPlain(value), let value = value as? any Encodable else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return nil }
    let left = "<#\(name(of: type(of: value)))#>"
    // A `Sensitive` value encodes itself.
    if code(value).contains("(\"\(mask)\")") { return left }
    var isLeftOut = false
    let text = String(decoding: data, as: UTF8.self)
      .replacing(/"([^"\\]*)":("(?:[^"\\]|\\.)*"|.)/) { match in
        guard isSecret(String(match.1)), match.2 != "n" else { return String(match.0) }
        if !match.2.hasPrefix("\"") { isLeftOut = true }
        return "\"\(match.1)\":\"\(mask)\""
      }
    // Keys of the JSON may differ from the names of the properties.
    let masks = [code(value, masking: true), text].map { $0.components(separatedBy: mask).count }
    if masks[0] > masks[1] { return left }
    var marks = "#"
    while text.contains("\"\(marks)") { marks += "#" }
    return isLeftOut ? left : "decoded(\(marks)\"\(text)\"\(marks))"
  }

  /// Whether a value consists of texts, numbers, collections, tuples and optionals, whose code always compiles.
  private static func isPlain(_ value: Any) -> Bool {
    if leaf(value) != nil { return true }
    let mirror = Mirror(reflecting: value)
    return switch mirror.displayStyle {
    case .collection, .dictionary, .optional, .set, .tuple:
      mirror.children.allSatisfy { isPlain($0.value) }
    default: false
    }
  }
}
