import Application
import Domain
import Foundation

extension Repository: Printed {
  static let noun = (one: "repository", many: "repositories")

  /// What comes after the 1,000th, GitHub's search doesn't show.
  static let most: Int? = 1_000

  static func columns(now: Date) -> [Column<Ranked<Repository>>] {
    [
      .count("STARS") { $0.stars },
      .count("FORKS") { $0.forks },
      .text("NAME", least: 28) { RepositoryRow($0.item).name },
      .word("LANGUAGE") { RepositoryRow($0.item).language },
      .text("DESCRIPTION", least: 20) { RepositoryRow($0.item).summary }.faint,
    ]
  }

  static func json(_ repository: Ranked<Repository>) -> JSONObject { repository.item.json }

  /// The repository as scripts get it; lists don't tell who watches it.
  var json: JSONObject {
    [
      "avatar": avatar?.absoluteString, "description": summary, "forks": forks,
      "language": language, "licence": licence, "link": link?.absoluteString, "name": "\(name)",
      "openIssues": openIssues, "stars": stars, "topics": topics, "watchers": watchers,
    ]
  }
}
