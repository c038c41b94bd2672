public import Foundation

/// An issue that is being written.
public struct IssueDraft: Equatable, Sendable {
  /// What is written.
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

  /// Creates a draft for a repository; `nil` leaves its name to be typed.
  public init(for repository: RepositoryName? = nil) {
    texts[.repository] = repository.map { "\($0)" }
  }

  /// The text of a field, as typed.
  public subscript(field: Field) -> String {
    get { texts[field] ?? "" }
    set { texts[field] = newValue.isEmpty ? nil : newValue }
  }

  /// The repository; `nil` while what is typed is no name.
  public var repository: RepositoryName? { RepositoryName(self[.repository]) }

  /// The most characters of a description that are sent.
  public static let longestBody = 4_000

  /// Returns what is wrong with a field, a sentence for the user; `nil` when nothing is.
  public func problem(in field: Field) -> String? {
    let text = self[field].trimmingCharacters(in: .whitespacesAndNewlines)
    switch field {
    case .repository where text.isEmpty: return "Say which repository the issue is for."
    case .repository where repository == nil:
      return "Type a repository as owner/name, for example apple/swift."
    case .title where text.isEmpty: return "An issue needs a title."
    case .body where text.count > Self.longestBody:
      return "The description is \(text.count - Self.longestBody) characters too long."
    default: return nil
    }
  }
}

/// Says why a host does not take an issue: what is wrong with its fields.
public struct IssueRefusal: LocalizedError, Equatable, Sendable {
  /// A sentence for each field that something is wrong with.
  public let problems: [IssueDraft.Field: String]

  /// Creates a refusal.
  public init(_ problems: [IssueDraft.Field: String]) {
    self.problems = problems
  }

  /// The sentences.
  public var errorDescription: String? {
    IssueDraft.Field.allCases.compactMap { problems[$0] }.joined(separator: " ")
  }
}
