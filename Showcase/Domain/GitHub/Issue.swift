public import Foundation

/// Something to do or to mend in a repository.
public struct Issue: Equatable, Sendable, Identifiable {
  /// A coloured word that sorts an issue.
  public struct Label: Equatable, Sendable {
    /// The word.
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

  /// The repository that it belongs to.
  public let repository: RepositoryName
  /// Its number in the repository.
  public let number: Int
  /// What it is about, in a line.
  public let title: String
  /// What it is about, at length; may be empty.
  public let body: String
  /// Its labels.
  public let labels: [Label]
  /// Who wrote it.
  public let author: String
  /// When it was written.
  public let createdAt: Date
  /// The number of its comments; `nil` when that is not known.
  public let comments: Int?

  /// Its number: issues of one repository are told apart by it.
  public var id: Int { number }

  /// Creates an issue.
  public init(
    repository: RepositoryName, number: Int, title: String, body: String, labels: [Label],
    author: String, createdAt: Date, comments: Int?
  ) {
    self.repository = repository
    self.number = number
    self.title = title
    self.body = body
    self.labels = labels
    self.author = author
    self.createdAt = createdAt
    self.comments = comments
  }
}
