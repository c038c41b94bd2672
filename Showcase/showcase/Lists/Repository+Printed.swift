import Application
import CurlewTerminal
import Domain
import Foundation

extension Repository: Printed {
  static let noun = (one: "repository", many: "repositories")

  /// GitHub's search returns at most 1,000 results.
  static let most: Int? = 1_000

  static func columns(now: Date) -> [Column<Repository>] {
    [
      .count("STARS") { $0.stars },
      .count("FORKS") { $0.forks },
      .text("NAME", least: 28) { RepositoryRow($0).name },
      .word("LANGUAGE") { RepositoryRow($0).language },
      .text("DESCRIPTION", least: 20) { RepositoryRow($0).summary }.faint,
    ]
  }

  static func json(_ repository: Repository) -> JSONObject {
    [
      "avatar": repository.avatar?.absoluteString, "description": repository.summary,
      "forks": repository.forks, "language": repository.language, "licence": repository.licence,
      "link": repository.link?.absoluteString, "name": "\(repository.name)",
      "openIssues": repository.openIssues, "stars": repository.stars,
      "topics": repository.topics, "watchers": repository.watchers,
    ]
  }

  /// The values with their names; unknown values are empty.
  package var facts: [Fact] {
    let count = { (count: Int?) in count.map { "\($0)" } ?? "" }
    return [
      ("Name", "\(name)"), ("Description", summary ?? ""), ("Language", language ?? ""),
      ("Stars", count(stars)), ("Forks", count(forks)), ("Watchers", count(watchers)),
      ("Open issues", count(openIssues)), ("Topics", topics.joined(separator: ", ")),
      ("Licence", licence ?? ""), ("Link", link?.absoluteString ?? ""),
    ]
  }
}
