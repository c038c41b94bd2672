/// A user who has signed in.
package struct User: Hashable, Sendable {
  /// The user of the request that is answered, for the document around a page.
  @TaskLocal static var current: User?

  package let name: String
  /// Whether the user may close and reopen issues.
  package let canChangeIssues: Bool

  package init(name: String, canChangeIssues: Bool) {
    (self.name, self.canChangeIssues) = (name, canChangeIssues)
  }
}
