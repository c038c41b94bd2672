/// What a search asks for: words, and qualifiers such as `language:swift`.
struct SearchTerm: Sendable {
  private var words: [String] = []
  private var languages: [String] = []
  private var topics: [String] = []
  private var owners: [String] = []

  /// Reads a text; a qualifier that is not known is a word like others.
  init(_ text: String) {
    for part in Self.parts(of: text.lowercased()) {
      let halves = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = halves.count > 1 ? String(halves[1]) : ""
      switch halves[0] {
      case "language" where !value.isEmpty: languages.append(value)
      case "topic" where !value.isEmpty: topics.append(value)
      case "user" where !value.isEmpty, "org" where !value.isEmpty: owners.append(value)
      default: words.append(part)
      }
    }
  }

  /// Splits a text at its spaces, except between quotation marks, which are dropped.
  private static func parts(of text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case _ where character.isWhitespace && !isQuoted: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
    }
    return parts.filter { !$0.isEmpty }
  }

  /// Returns the repositories with every word and one of each qualifier's values, those with the
  /// most stars, and so the most forks, first.
  func repositories(sort: String?, order: String?) -> [Repository] {
    var found = Self.index.filter { entry in
      (languages.isEmpty || languages.contains(entry.language))
        && (owners.isEmpty || owners.contains(entry.owner))
        && topics.allSatisfy { entry.repository.topics.contains($0) }
        && words.allSatisfy { entry.text.contains($0) }
    }.map(\.repository)
    if sort == "updated" { found.sort { ($0.idleHours, $0.id) < ($1.idleHours, $1.id) } }
    return sort != nil && order == "asc" ? found.reversed() : found
  }

  /// A repository with what is searched in lowercase.
  private struct Entry: Sendable {
    let repository: Repository
    let text, owner, language: String
  }

  private static let index = Repository.all.map { repository in
    Entry(
      repository: repository,
      text: "\(repository.name) \(repository.description ?? "")".lowercased(),
      owner: repository.owner.login.lowercased(),
      language: (repository.language ?? "").lowercased())
  }
}
