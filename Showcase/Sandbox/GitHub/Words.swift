/// The vocabulary for generated repositories and issues: `github-words.json`.
struct Words: Decodable, Sendable {
  struct Language: Decodable, Sendable {
    let name: String
    /// The number of repositories; for JavaScript, it exceeds the maximum of a search.
    let count: Int
  }

  /// The subject of a repository: the vocabulary for its name, its description and its issues.
  struct Subject: Decodable, Sendable {
    let name: String
    let labels: [Label]
    let lists: [String: [String]]
  }

  let languages: [Language]
  /// The lists for the bodies of issues: an empty name for an empty body, nil for none.
  let bodies: [String?]
  /// The possible texts for each placeholder; they may contain placeholders themselves.
  let lists: [String: [String]]
  let labels: [String: Label]
  let otherLabels: [Label]
  let subjects: [Subject]

  static let shared = decodeResource(PackageResources.github_words_json, as: Words.self)

  /// The lists for texts about each subject, by its name.
  private static let listsBySubject = Dictionary(
    uniqueKeysWithValues: shared.subjects.map { subject in
      // About a hundred lines: several kilobytes.
      let log = (1...110).map { "\($0 * 137) ms [\($0)] <part \($0)>: <logLine \($0)>\n" }.joined()
      let own = subject.lists.merging(["log": [log]]) { $1 }
      return (subject.name, shared.lists.merging(own) { $1 })
    })

  static func lists(about subject: Subject) -> [String: [String]] {
    listsBySubject[subject.name] ?? shared.lists
  }
}
