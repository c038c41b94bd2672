/// The field of a search screen: the text in it, and what was searched.
struct SearchField: Equatable, Sendable {
  /// The text as it was typed.
  private(set) var text = ""
  /// The text to search: without white space around it.
  private(set) var query = ""
  /// What to type, while the text can't be searched yet.
  private(set) var hint: String?
  /// The text that was searched last.
  var term: String?

  /// Creates a field.
  init(text: String = "", hint: String? = nil, term: String? = nil) {
    self.text = text
    query = text.trimmed
    self.hint = hint
    self.term = term
  }

  /// Whether the text can be searched.
  var isSearchable: Bool { !query.isEmpty && hint == nil }

  /// Whether the text to search is another one than was searched last.
  var isNew: Bool { term != query }

  /// Takes a changed text; returns whether it can be searched.
  ///
  /// One that can't has no results, and so nothing was searched.
  mutating func change(to newText: String, hint makeHint: (String) -> String?) -> Bool {
    text = newText
    query = newText.trimmed
    hint = query.isEmpty ? nil : makeHint(query)
    if !isSearchable { term = nil }
    return isSearchable
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmed: String {
    guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
    guard let end = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[...end].drop(while: \.isWhitespace))
  }
}
