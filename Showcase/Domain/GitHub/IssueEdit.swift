/// The texts of an issue that users can change.
public struct IssueTexts: Equatable, Sendable {
  /// The title.
  public var title: String
  /// The description; may be empty.
  public var body: String
  /// The host's version of the issue; `nil` if unknown.
  public let version: String?

  /// Creates texts.
  public init(title: String, body: String, version: String? = nil) {
    (self.title, self.body, self.version) = (title, body, version)
  }
}

/// The user's change of an issue's texts.
public struct IssueEdit: Equatable, Sendable {
  /// The issue.
  public let issue: Issue.Reference
  /// The texts that the user has seen, with their version.
  public let base: IssueTexts
  /// The user's texts.
  public var texts: IssueTexts
  /// The pending edit that this one replaces; `nil` if there is none.
  public let replaced: PendingChange.ID?

  /// Creates a change of the texts that the user sees.
  ///
  /// - Parameters:
  ///   - texts: The user's texts; by default unchanged.
  ///   - replaced: The pending edit that this one replaces.
  public init(
    _ issue: Issue.Reference, base: IssueTexts, texts: IssueTexts? = nil,
    replacing replaced: PendingChange.ID? = nil
  ) {
    (self.issue, self.base, self.texts, self.replaced) = (issue, base, texts ?? base, replaced)
  }
}
