import Foundation

/// The field of a search screen: the text in it, and what was searched.
struct SearchField: Equatable, Sendable {
  /// The text, trimmed.
  private(set) var text = ""
  /// What to type, while the text can't be searched yet.
  private(set) var hint: String?
  /// The text that was searched last.
  var term: String?

  /// Whether the text can be searched.
  var isSearchable: Bool { !text.isEmpty && hint == nil }

  /// Whether the text is another one than was searched last.
  var isNew: Bool { term != text }

  /// Takes a changed text; returns whether it can be searched.
  ///
  /// One that can't has no results, and so nothing was searched.
  mutating func change(to newText: String, hint makeHint: (String) -> String?) -> Bool {
    text = newText.trimmingCharacters(in: .whitespacesAndNewlines)
    hint = text.isEmpty ? nil : makeHint(text)
    if !isSearchable { term = nil }
    return isSearchable
  }
}
