/// The words out of which repositories and their issues are generated: `github-words.json`.
struct Words: Decodable, Sendable {
  /// A pattern for titles of issues with the kind of label that goes with it.
  struct Title: Decodable, Sendable {
    let kind: String
    /// How often the pattern is used, among 20.
    let weight: Int
    let text: String
  }

  /// What a repository is about.
  struct Subject: Decodable, Sendable {
    let name: String
    let topics, nouns: [String]
    /// What a repository does; the start of its description.
    let purposes: [String]
    /// Parts of the program, as they read after “the”.
    let parts: [String]
    /// Wishes, as they read before “in the ...”.
    let wishes: [String]
    let labels: [Label]
    /// The language of the code blocks, and their lines.
    let language: String
    let code: [String]
  }

  /// The words of names and descriptions.
  struct RepositoryWords: Decodable, Sendable {
    struct Language: Decodable, Sendable {
      let name: String
      let count: Int
    }

    /// How many repositories there are of each language: of JavaScript more than a search gives out.
    let languages: [Language]
    let adjectives, animals, groups, suffixes, promises, foreignDescriptions: [String]
  }

  let titles: [Title]
  /// Titles in other scripts and with characters that a careless page breaks on.
  let foreignTitles: [String]
  /// The words for the names in patterns.
  let lists: [String: [String]]
  /// A body that a careless page would run, load or lose.
  let markup: String
  /// Labels by the kind of issue.
  let labels: [String: Label]
  let otherLabels: [Label]
  /// The logins of those who open issues.
  let users: [String]
  let repositories: RepositoryWords
  let subjects: [Subject]

  static let shared = decodeResource(PackageResources.github_words_json, as: Words.self)
}
