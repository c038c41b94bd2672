public import Foundation

/// The draft of an issue.
public struct IssueDraft: Equatable, Sendable {
  /// The fields of the draft.
  public enum Field: String, CaseIterable, Sendable {
    /// The repository's name.
    case repository
    /// The title.
    case title
    /// The description.
    case body
  }

  /// The texts, as typed.
  private var texts: [Field: String] = [:]

  /// Creates a draft for a repository; `nil` if the user types its name.
  public init(for repository: RepositoryName? = nil) {
    texts[.repository] = repository.map { "\($0)" }
  }

  /// The text of a field, as typed.
  public subscript(field: Field) -> String {
    get { texts[field] ?? "" }
    set { texts[field] = newValue.isEmpty ? nil : newValue }
  }

  /// The repository; `nil` unless the text is a valid name.
  public var repository: RepositoryName? { RepositoryName(self[.repository]) }

  /// The maximum number of characters in a description.
  public static let maximumBodyLength = 4_000

  /// Returns a message for users about the problem in a field; `nil` if the field is valid.
  public func problem(in field: Field) -> String? {
    let text = self[field].trimmingCharacters(in: .whitespacesAndNewlines)
    switch field {
    case .repository where text.isEmpty: return "Enter a repository, such as apple/swift."
    case .repository where repository == nil:
      return "Type a repository as owner/name, for example apple/swift."
    case .title where text.isEmpty: return "Enter a title."
    case .body where text.count > Self.maximumBodyLength:
      return "The description is \(text.count - Self.maximumBodyLength) characters too long."
    default: return nil
    }
  }
}

/// An error thrown if a host rejects an issue, with the problems in its fields.
public struct IssueRefusal: LocalizedError, Equatable, Sendable {
  /// A sentence about each invalid field.
  public let problems: [IssueDraft.Field: String]

  /// Creates a refusal.
  public init(_ problems: [IssueDraft.Field: String]) {
    self.problems = problems
  }

  /// The sentences about the fields.
  public var errorDescription: String? {
    IssueDraft.Field.allCases.compactMap { problems[$0] }.joined(separator: " ")
  }
}
