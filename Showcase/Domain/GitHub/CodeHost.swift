public import Foundation

/// A host of repositories and their issues.
public protocol CodeHost: Sendable {
  /// Returns a repository; `nil` if it doesn't exist.
  ///
  /// Throws an error if the response can't be decoded. The repository's `asOf` is the time of the
  /// response, if known.
  func repository(named name: RepositoryName) async throws -> Repository?

  /// Returns a page of the repositories that are mainly written in a language, most stars first.
  func repositories(in language: String, page: Int) async throws -> Listing<Repository>

  /// Returns a page of a repository's open issues, newest first, at most a hundred per page.
  func openIssues(of repository: Repository, page: Int) async throws -> Listing<Issue>

  /// Returns an issue by its number, open or closed; `nil` if it doesn't exist.
  func issue(_ number: Int, of repository: RepositoryName) async throws -> Issue?

  /// Opens an issue.
  ///
  /// - Parameter key: The idempotency key: a retry with the same key opens no second issue.
  /// - Throws: ``IssueRefusal`` if the host rejects fields of the draft.
  func open(_ draft: IssueDraft, key: String) async throws -> Issue

  /// The repositories that the user has starred, including pending changes; empty for read-only
  /// hosts.
  func starred() -> Updates<Stars>

  /// Stars a repository, or removes the star.
  func star(_ repository: RepositoryName, isOn: Bool) -> HostChange

  /// Returns whether each issue that the user closed or reopened is open, including pending changes.
  func changedIssues() -> Updates<[Issue.Reference: Bool]>

  /// Closes or reopens an issue.
  func change(_ issue: Issue.Reference, isOpen: Bool) -> HostChange

  /// Returns the newest comments on an issue, including pending ones; empty without a user who has signed in.
  func comments(on issue: Issue.Reference) -> Updates<IssueComments>

  /// Adds a comment to an issue.
  func comment(_ text: String, on issue: Issue.Reference) -> HostChange

  /// Returns the texts of an issue, including a pending edit, or `nil` if they can't be loaded; empty without a user who has
  /// signed in.
  func texts(of issue: Issue.Reference) -> Updates<IssueTexts?>

  /// Changes the texts of an issue, unless another user has changed the same text since they were seen.
  func edit(_ edit: IssueEdit) -> HostChange

  /// The changes of the user that the host has not confirmed; empty without a user who has signed in, whose changes
  /// are sent at once or fail.
  func pendingChanges() -> Updates<[PendingChange]>

  /// Carries out the user's decision about a pending change.
  func decide(_ decision: PendingChange.Decision, on change: PendingChange.ID) -> HostChange

  /// Sends the pending changes now, without waiting for the network.
  func sendPendingChanges() -> HostChange

  /// Returns the issues of a repository as they are opened.
  ///
  /// - Parameter position: The position of the last received ``IssueEvent``; `nil` begins with the
  ///   newest few issues.
  func openedIssues(of repository: RepositoryName, after position: String?) -> IssueEvents

  /// Returns the issues of all repositories as they are opened; begins with the newest few issues,
  /// oldest first.
  func openedIssues() -> IssueEvents
}

/// The repositories that a user has starred.
public struct Stars: Equatable, Sendable {
  /// The identifiers of the repositories; `nil` if they can't be loaded.
  public let ids: Set<Repository.ID>?
  /// Whether the identifiers may be outdated and are being reloaded.
  public let isLoading: Bool

  /// Creates stars from the identifiers of repositories.
  public init(_ ids: Set<Repository.ID>?, isLoading: Bool = false) {
    (self.ids, self.isLoading) = (ids, isLoading)
  }
}

/// An error thrown if a host has no stream of opened issues, or is used offline.
public struct UnwatchableHost: LocalizedError, Sendable {
  /// Creates the error.
  public init() {}

  /// A message for users.
  public var errorDescription: String? {
    "Issues can be watched only in the sandbox, and not offline."
  }
}

extension CodeHost {
  /// Discards the user's pending changes, as at a sign-out.
  public func discardPendingChanges() {
    for change in pendingChanges().current ?? [] { decide(.drop, on: change.id).begin() }
  }

  /// Returns `nil`, because not every host has single issues.
  public func issue(_ number: Int, of repository: RepositoryName) async throws -> Issue? { nil }

  /// Throws ``ReadOnlyHost``, because most hosts are read-only.
  public func open(_ draft: IssueDraft, key: String) async throws -> Issue { throw ReadOnlyHost() }

  /// Returns an empty sequence.
  public func starred() -> Updates<Stars> { .empty }

  /// Returns a change that fails, because most hosts are read-only.
  public func star(_ repository: RepositoryName, isOn: Bool) -> HostChange { .refused }

  /// Returns an empty sequence.
  public func changedIssues() -> Updates<[Issue.Reference: Bool]> { .empty }

  /// Returns a change that fails, because most hosts are read-only.
  public func change(_ issue: Issue.Reference, isOpen: Bool) -> HostChange { .refused }

  /// Returns an empty sequence.
  public func comments(on issue: Issue.Reference) -> Updates<IssueComments> { .empty }

  /// Returns a change that fails, because most hosts are read-only.
  public func comment(_ text: String, on issue: Issue.Reference) -> HostChange { .refused }

  /// Returns an empty sequence.
  public func texts(of issue: Issue.Reference) -> Updates<IssueTexts?> { .empty }

  /// Returns a change that fails, because most hosts are read-only.
  public func edit(_ edit: IssueEdit) -> HostChange { .refused }

  /// Returns an empty sequence.
  public func pendingChanges() -> Updates<[PendingChange]> { .empty }

  /// Returns a change that fails, because most hosts are read-only.
  public func decide(
    _ decision: PendingChange.Decision, on change: PendingChange.ID
  ) -> HostChange { .refused }

  /// Returns a change that fails, because most hosts are read-only.
  public func sendPendingChanges() -> HostChange { .refused }

  /// Returns a stream that fails, because most hosts have no event stream.
  public func openedIssues(of repository: RepositoryName, after position: String?) -> IssueEvents {
    .unavailable
  }

  /// Returns a stream that fails, because most hosts have no event stream.
  public func openedIssues() -> IssueEvents { .unavailable }
}

extension IssueEvents {
  /// A stream that throws ``UnwatchableHost``.
  public static var unavailable: IssueEvents {
    IssueEvents(AsyncThrowingStream<IssueEvent, any Error>(unfolding: { throw UnwatchableHost() }))
    { $0 }
  }
}
