/// The open issues of a repository, the newest first; for a large one only the first of them.
public struct IssueList: Equatable, Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  /// The issues.
  public let issues: [Issue]
  /// Whether the repository has more open issues than these.
  public let isPartial: Bool

  /// Creates a list.
  public init(_ issues: [Issue], isPartial: Bool = false) {
    self.issues = issues
    self.isPartial = isPartial
  }

  /// Creates a list of all issues.
  public init(arrayLiteral elements: Issue...) {
    self.init(elements)
  }

  /// The place of the first issue.
  public var startIndex: Int { issues.startIndex }
  /// The place after the last issue.
  public var endIndex: Int { issues.endIndex }

  /// The issue at a place.
  public subscript(position: Int) -> Issue { issues[position] }
}
