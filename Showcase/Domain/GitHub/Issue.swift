public import Foundation

/// An issue of a repository.
public struct Issue: Hashable, Sendable, Identifiable {
  /// A coloured label of an issue.
  public struct Label: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The colour as six hexadecimal digits.
    public let color: String

    /// Creates a label; replaces an invalid colour by grey.
    public init(name: String, color: String) {
      self.name = name
      let isColor = color.utf8.count == 6 && color.allSatisfy { $0.isASCII && $0.isHexDigit }
      self.color = isColor ? color.lowercased() : "888888"
    }
  }

  /// A reference to an issue in any repository.
  public struct Reference: Hashable, Sendable {
    /// The repository.
    public let repository: RepositoryName
    /// The issue's number in the repository.
    public let number: Int

    /// Creates a reference to an issue.
    public init(_ repository: RepositoryName, _ number: Int) {
      (self.repository, self.number) = (repository, number)
    }

    /// Whether both refer to the same issue; repository names are case-insensitive on GitHub.
    public static func == (one: Self, other: Self) -> Bool {
      one.number == other.number && one.repository.id == other.repository.id
    }

    /// Hashes the number only, because names that differ in case are equal.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// The repository of the issue.
  public let repository: RepositoryName
  /// The number in the repository.
  public let number: Int
  /// The host's global identifier of the issue; `nil` if unknown.
  public let globalID: Int?
  /// The title.
  public var title: String
  /// The description; may be empty.
  public var body: String
  /// The labels.
  public let labels: [Label]
  /// The name of the author.
  public let author: String
  /// The URL of the author's avatar.
  public let avatar: URL?
  /// The URL of the issue's page.
  public let link: URL?
  /// The creation date.
  public let createdAt: Date
  /// The number of comments; `nil` if unknown.
  public let comments: Int?
  /// Whether the issue was open in the host's last response.
  public let isOpen: Bool

  /// The reference, which is unique across repositories.
  public var reference: Reference { Reference(repository, number) }

  /// The number, which is unique within a repository.
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
