import Foundation

/// The field of a search screen: the text in it, and what was searched.
struct SearchField: Equatable, Sendable {
  /// The text as it was typed.
  var text = ""
  /// What to type, while the text can't be searched yet.
  var hint: String?
  /// The text that was searched last.
  var term: String?

  /// The text to search: without white space around it.
  var query: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

  /// Whether the text can be searched.
  var isSearchable: Bool { !query.isEmpty && hint == nil }

  /// Whether the text to search is another one than was searched last.
  var isNew: Bool { term != query }

  /// Takes a changed text; returns whether it can be searched.
  ///
  /// One that can't has no results, and so nothing was searched.
  mutating func change(to newText: String, hint makeHint: (String) -> String?) -> Bool {
    text = newText
    let query = query
    hint = query.isEmpty ? nil : makeHint(query)
    if !isSearchable { term = nil }
    return isSearchable
  }
}
