/// What a search asks for: words, and qualifiers such as `language:swift`.
struct SearchTerm: Sendable {
  private(set) var words: [String] = []
  private(set) var languages: [String] = []
  private(set) var topics: [String] = []
  private(set) var owners: [String] = []

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
}

/// All repositories, those with the most stars first; made when somebody searches.
struct SearchIndex: Sendable {
  private struct Entry: Sendable {
    let repository: Repository
    /// Name and description in small letters.
    let text: String
    let owner: String
    let language: String
  }

  static let shared = SearchIndex(Catalogue.repositories + Catalogue.real + Inventions.repositories)

  private let entries: [Entry]

  init(_ repositories: [Repository]) {
    entries = repositories.sorted { ($1.stars, $0.id) < ($0.stars, $1.id) }.map { repository in
      Entry(
        repository: repository,
        text: "\(repository.name) \(repository.description ?? "")".lowercased(),
        owner: repository.owner.login.lowercased(),
        language: (repository.language ?? "").lowercased())
    }
  }

  /// The repositories that have every word and one of each qualifier's values.
  func repositories(matching term: SearchTerm) -> [Repository] {
    entries.filter { entry in
      (term.languages.isEmpty || term.languages.contains(entry.language))
        && (term.owners.isEmpty || term.owners.contains(entry.owner))
        && term.topics.allSatisfy { entry.repository.topics.contains($0) }
        && term.words.allSatisfy { entry.text.contains($0) }
    }.map(\.repository)
  }
}
