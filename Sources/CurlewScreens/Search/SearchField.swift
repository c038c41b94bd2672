/// The text field of a search screen, and the last text searched for.
struct SearchField: Equatable, Sendable {
  /// The text, exactly as typed.
  private(set) var text = ""
  /// The text to search for, without leading and trailing white space.
  private(set) var query = ""
  /// A hint about what to type; `nil` when the text can be searched.
  private(set) var hint: String?
  /// The last text searched for.
  var term: String?
  /// The text whose results are shown.
  @Unobserved var shown: String?

  /// Creates a field; by default, existing results belong to its text.
  init(text: String = "", hint: String? = nil, term: String? = nil, hasResults: Bool = false) {
    self.text = text
    query = text.trimmed
    self.hint = hint
    self.term = term ?? (hasResults ? query : nil)
    shown = self.term
  }

  /// Returns whether the text can be searched; an empty text only with `listsAll`.
  func isSearchable(listsAll: Bool = false) -> Bool {
    (listsAll || !query.isEmpty) && hint == nil
  }

  /// Changes the text; returns whether it can be searched, or else resets ``term``.
  mutating func change(
    to newText: String, listsAll: Bool = false, hint makeHint: (String) -> String?
  ) -> Bool {
    text = newText
    query = newText.trimmed
    hint = query.isEmpty ? nil : makeHint(query)
    let isSearchable = isSearchable(listsAll: listsAll)
    if !isSearchable { term = nil }
    return isSearchable
  }
}

extension SearchField: Codable {
  private enum CodingKeys: CodingKey { case text, hint, shown }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      text: try values.decode(String.self, forKey: .text),
      hint: try values.decodeIfPresent(String.self, forKey: .hint),
      term: try values.decode(Unobserved<String?>.self, forKey: .shown).wrappedValue)
  }
}

extension String {
  /// The text without leading and trailing white space.
  fileprivate var trimmed: String {
    guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
    guard let end = lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(self[...end].drop(while: \.isWhitespace))
  }
}
