import Application
import Domain
import Foundation

extension Repository: Printed {
  static let noun = (one: "repository", many: "repositories")

  /// What comes after the 1,000th, GitHub's search doesn't show.
  static let most: Int? = 1_000

  static func table(of list: Loaded<Repository>, isColoured: Bool, now: Date) -> Table {
    Table(
      columns: [
        Table.Column("STARS", alignment: .right),
        Table.Column("FORKS", alignment: .right, rank: 1),
        Table.Column("NAME", minimum: 28, maximum: 50),
        Table.Column("LANGUAGE", rank: 2),
        Table.Column("DESCRIPTION", minimum: 20, maximum: 80, rank: 3),
      ],
      rows: list.items.map { repository in
        let row = RepositoryRow(repository)
        return [
          Cell(count: repository.stars), Cell(count: repository.forks), Cell(row.name),
          Cell(row.language), Cell(row.summary, .faint),
        ]
      })
  }

  static func documents(of list: Loaded<Repository>) -> [RepositoryDocument] {
    list.items.map(RepositoryDocument.init)
  }
}

/// A repository as scripts get it.
struct RepositoryDocument: Encodable {
  @OrNull var avatar: String?
  @OrNull var description: String?
  @OrNull var forks: Int?
  @OrNull var language: String?
  @OrNull var licence: String?
  @OrNull var link: String?
  let name: String
  @OrNull var openIssues: Int?
  @OrNull var stars: Int?
  let topics: [String]
  /// Lists don't tell.
  @OrNull var watchers: Int?

  init(_ repository: Repository) {
    avatar = repository.avatar?.absoluteString
    description = repository.summary
    forks = repository.forks
    language = repository.language
    licence = repository.licence
    link = repository.link?.absoluteString
    name = repository.name.description
    openIssues = repository.openIssues
    stars = repository.stars
    topics = repository.topics
    watchers = repository.watchers
  }
}
