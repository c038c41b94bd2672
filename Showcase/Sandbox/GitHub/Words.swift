/// The vocabulary for generated repositories and issues: `github-words.json`.
struct Words: Decodable, Sendable {
  struct Language: Decodable, Sendable {
    let name: String
    /// The number of repositories; for JavaScript, it exceeds the maximum of a search.
    let count: Int
  }

  /// A pattern for issue titles, with its frequency (`weight` in 20) and its label.
  struct Title: Decodable, Sendable {
    let kind, text: String
    let weight: Int
  }

  /// The subject of a repository: the vocabulary for its name, its description and its issues.
  struct Subject: Decodable, Sendable {
    let name, language: String
    let topics, nouns, purposes, parts, wishes, code: [String]
    let labels: [Label]
  }

  let languages: [Language]
  let titles: [Title]
  /// Titles in other scripts, and with characters that break pages without proper escaping.
  let foreignTitles: [String]
  /// The possible texts for each placeholder; they may contain placeholders themselves.
  let lists: [String: [String]]
  let labels: [String: Label]
  let otherLabels: [Label]
  let users, animals: [String]
  let subjects: [Subject]

  static let shared = decodeResource(PackageResources.github_words_json, as: Words.self)
}
