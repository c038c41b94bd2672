import CurlewLive

/// The name of a programming language with a coloured dot.
struct LanguageView: TemplateValues {
  let name: String
  /// The colour as six hexadecimal digits.
  let color: String

  static let names: TemplateNames<Self> = ["name": \.name, "color": \.color]

  /// Creates a language; returns `nil` for an empty name.
  init?(_ name: String) {
    guard !name.isEmpty else { return nil }
    self.name = name
    color = Self.colors[name.lowercased()] ?? "8a9a96"
  }

  /// The languages offered before the user types.
  static let examples = [
    "Swift", "Kotlin", "Rust", "TypeScript", "Python", "Go", "Ruby", "C",
  ].compactMap { LanguageView($0) }

  /// The colours as on code hosts.
  private static let colors = [
    "swift": "f05138", "kotlin": "a97bff", "rust": "d98c5f", "typescript": "3178c6",
    "python": "3e7cb1", "go": "00add8", "ruby": "b01f24", "c": "6e7681", "c++": "f34b7d",
    "javascript": "e0b400", "objective-c": "438eff", "java": "b07219", "c#": "2f9e44",
    "shell": "6fbf3f", "html": "e34c26", "css": "7952b3", "php": "6b75b5",
  ]
}
