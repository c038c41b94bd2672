public import Foundation

/// A repository of source code.
public struct Repository: Hashable, Sendable, Identifiable {
  /// The present name, which may differ from the one that was asked for: repositories move.
  public let name: RepositoryName
  /// The host's number of it, which stays when it is renamed; `nil` when that is not known.
  public var globalID: Int?
  /// The picture of the owner.
  public var avatar: URL?
  /// The description.
  public var summary: String?
  /// The language that most of it is written in.
  public var language: String?
  /// The number of users who marked it with a star; `nil`, as every count here, when that is not
  /// known.
  public var stars: Int?
  /// The number of its copies that are worked on.
  public var forks: Int?
  /// The number of users who follow it; lists of repositories leave it out.
  public var watchers: Int?
  /// The number of open issues and pull requests.
  public var openIssues: Int?
  /// The topics, such as `compiler`.
  public var topics: [String]
  /// The short name of its licence: `Apache-2.0`.
  public var licence: String?
  /// The page of the repository.
  public var link: URL?
  /// When the host last said all of this; `nil` when that is not known, as of one in a list.
  public var asOf: Date?

  /// Its name in lower case.
  public var id: String { name.id }

  /// Creates a repository.
  public init(
    name: RepositoryName, globalID: Int? = nil, avatar: URL? = nil, summary: String? = nil,
    language: String? = nil,
    stars: Int? = nil, forks: Int? = nil, watchers: Int? = nil, openIssues: Int? = nil,
    topics: [String] = [], licence: String? = nil, link: URL? = nil, asOf: Date? = nil
  ) {
    self.name = name
    self.globalID = globalID
    self.avatar = avatar
    self.summary = summary
    self.language = language
    self.stars = stars
    self.forks = forks
    self.watchers = watchers
    self.openIssues = openIssues
    self.topics = topics
    self.licence = licence
    self.link = link
    self.asOf = asOf
  }
}
