public import Foundation

/// A repository of source code.
public struct Repository: Hashable, Sendable, Identifiable {
  /// The current name, which differs from the requested name if the repository was renamed.
  public let name: RepositoryName
  /// The host's global identifier, which a rename doesn't change; `nil` if unknown.
  public var globalID: Int?
  /// The URL of the owner's avatar.
  public var avatar: URL?
  /// The description.
  public var summary: String?
  /// The main programming language.
  public var language: String?
  /// The number of users who starred the repository; like every count here, `nil` if unknown.
  public var stars: Int?
  /// The number of forks.
  public var forks: Int?
  /// The number of users who watch the repository; missing in lists.
  public var watchers: Int?
  /// The number of open issues and pull requests.
  public var openIssues: Int?
  /// The topics, such as `compiler`.
  public var topics: [String]
  /// The SPDX identifier of the licence, such as `Apache-2.0`, or its name.
  public var licence: String?
  /// The URL of the repository's page.
  public var link: URL?
  /// The time as of which these values are current; `nil` if unknown, as in lists.
  public var asOf: Date?

  /// The name in lower case.
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
