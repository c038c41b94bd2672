extension Repository {
  /// Returns the repositories that contain every word of a text and match its `language:`, most
  /// stars first.
  static func found(by text: String) -> [Repository] {
    // Quotation marks group words.
    let words = text.lowercased().matches(of: /(?:"[^"]*"?|[^\s"])+/).map {
      $0.output.replacing("\"", with: "")
    }
    let qualifier = "language:"
    return all.filter { repository in
      words.allSatisfy { word in
        word.hasPrefix(qualifier)
          ? word.dropFirst(qualifier.count) == (repository.language ?? "").lowercased()
          : repository.searchedText.contains(word)
      }
    }
  }
}
