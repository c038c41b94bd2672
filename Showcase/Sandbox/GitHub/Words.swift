/// The words out of which repositories and their issues are generated: `github-words.json`.
struct Words: Decodable, Sendable {
  struct Language: Decodable, Sendable {
    let name: String
    /// How many repositories there are: of JavaScript more than a search gives out.
    let count: Int
  }

  /// A pattern for titles of issues, used `weight` times in 20, and the label that goes with it.
  struct Title: Decodable, Sendable {
    let kind, text: String
    let weight: Int
  }

  /// What a repository is about: the words of its name, its description and its issues.
  struct Subject: Decodable, Sendable {
    let name, language: String
    let topics, nouns, purposes, parts, wishes, code: [String]
    let labels: [Label]
  }

  let languages: [Language]
  let titles: [Title]
  /// Titles in other scripts and with characters that a careless page breaks on.
  let foreignTitles: [String]
  /// What a name in a pattern may stand for; patterns may have names again.
  let lists: [String: [String]]
  let labels: [String: Label]
  let otherLabels: [Label]
  let users, animals: [String]
  let subjects: [Subject]

  static let shared = decodeResource(PackageResources.github_words_json, as: Words.self)
}
