public import Foundation

/// An issue of a repository.
public struct Issue: Hashable, Sendable, Identifiable {
  /// A coloured label of an issue.
  public struct Label: Hashable, Sendable {
    /// The text.
    public let name: String
    /// The colour as six hexadecimal digits.
    public let color: String

    /// Creates a label; a colour that is none becomes grey.
    public init(name: String, color: String) {
      self.name = name
      let isColor = color.utf8.count == 6 && color.allSatisfy { $0.isASCII && $0.isHexDigit }
      self.color = isColor ? color.lowercased() : "888888"
    }
  }

  /// An issue in any repository.
  public struct Reference: Hashable, Sendable {
    /// The repository.
    public let repository: RepositoryName
    /// The issue's number in it.
    public let number: Int

    /// Refers to an issue.
    public init(_ repository: RepositoryName, _ number: Int) {
      (self.repository, self.number) = (repository, number)
    }

    /// Whether both are one issue: GitHub tells names apart without regard to case.
    public static func == (one: Self, other: Self) -> Bool {
      one.number == other.number && one.repository.id == other.repository.id
    }

    /// Hashes what makes two of them equal.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// The repository of the issue.
  public let repository: RepositoryName
  /// The number in the repository.
  public let number: Int
  /// The host's number of it among the issues of all repositories; `nil` when that is not known.
  public let globalID: Int?
  /// The title.
  public let title: String
  /// The description; may be empty.
  public let body: String
  /// The labels.
  public let labels: [Label]
  /// The name of the author.
  public let author: String
  /// The picture of the author.
  public let avatar: URL?
  /// The page of the issue.
  public let link: URL?
  /// The date when it was written.
  public let createdAt: Date
  /// The number of its comments; `nil` when that is not known.
  public let comments: Int?
  /// Whether it is open, when the host last said so.
  public let isOpen: Bool

  /// Tells it apart from those of all repositories.
  public var reference: Reference { Reference(repository, number) }

  /// The number, which is unique in a repository.
  public var id: Int { number }

  /// Creates an issue.
  public init(
    repository: RepositoryName, number: Int, globalID: Int? = nil, title: String, body: String,
    labels: [Label],
    author: String, avatar: URL? = nil, link: URL? = nil, createdAt: Date, comments: Int?,
    isOpen: Bool = true
  ) {
    self.repository = repository
    self.number = number
    self.globalID = globalID
    self.title = title
    self.body = body
    self.labels = labels
    self.author = author
    self.avatar = avatar
    self.link = link
    self.createdAt = createdAt
    self.comments = comments
    self.isOpen = isOpen
  }
}
