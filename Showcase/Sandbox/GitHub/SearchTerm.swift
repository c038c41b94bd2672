/// What a search asks for: words, and qualifiers such as `language:swift`.
struct SearchTerm: Sendable {
  private var (words, languages, topics, owners) = ([String](), [String](), [String](), [String]())

  /// Reads a text; a qualifier that is not known is a word like others.
  init(_ text: String) {
    // Quotation marks keep words together.
    for match in text.lowercased().matches(of: /(?:"[^"]*"?|[^\s"])+/) {
      let part = match.output.replacing("\"", with: "")
      guard !part.isEmpty else { continue }
      let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? String(halves[1]) : ""
      switch halves[0] {
      case "language" where !value.isEmpty: languages.append(value)
      case "topic" where !value.isEmpty: topics.append(value)
      case "user" where !value.isEmpty, "org" where !value.isEmpty: owners.append(value)
      default: words.append(String(part))
      }
    }
  }

  /// Returns the repositories with every word and one of each qualifier's values, those with the
  /// most stars, and so the most forks, first.
  func repositories(sort: String?, order: String?) -> [Repository] {
    var found = Repository.all.filter { repository in
      (languages.isEmpty || languages.contains(repository.language?.lowercased() ?? ""))
        && (owners.isEmpty || owners.contains(repository.owner.login.lowercased()))
        && topics.allSatisfy { repository.topics.contains($0) }
        && (words.isEmpty || words.allSatisfy { repository.searchedText.contains($0) })
    }
    if sort == "updated" { found.sort { ($0.idleHours, $0.id) < ($1.idleHours, $1.id) } }
    return sort != nil && order == "asc" ? found.reversed() : found
  }
}
