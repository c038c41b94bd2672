public import Mustache

/// Markup that is safe to send: what came from outside was escaped when it was made.
public struct HTML: Sendable, Equatable {
  /// The markup.
  public let text: String

  /// Renders a template, which escapes every value in `{{ }}`.
  public init(_ template: MustacheTemplate, _ values: Any) {
    text = template.render(values)
  }

  /// Takes markup that is safe already.
  public init(trusted text: String) {
    self.text = text
  }

  /// Returns a text with the five characters escaped that mean something in markup.
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
