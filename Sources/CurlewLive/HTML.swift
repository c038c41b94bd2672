public import Mustache

/// Markup that is safe to send: values from outside were escaped when it was created.
public struct HTML: Sendable, Equatable {
  /// The markup.
  public let text: String

  /// Renders a template, which escapes every value in `{{ }}`.
  public init(_ template: MustacheTemplate, _ values: Any) {
    text = template.render(values)
  }

  /// Creates markup from a string that is already safe, without escaping it.
  public init(trusted text: String) {
    self.text = text
  }

  /// Returns a text with the five special characters of HTML escaped.
  static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
