public import Foundation

/// Keeps repositories and their issues.
public protocol CodeHost: Sendable {
  /// Finds a repository; `nil` when there is none by this name. What the host says of it but can't be
  /// read is an error, not `nil`. Its `asOf` tells when the host said so, if that is known.
  func repository(named name: RepositoryName) async throws -> Repository?

  /// Lists the repositories that are mostly written in a language, those with the most stars first.
  func repositories(in language: String, page: Int) async throws -> Listing<Repository>

  /// Lists the open issues of a repository, the newest first, up to a hundred on a page.
  func openIssues(of repository: Repository, page: Int) async throws -> Listing<Issue>

  /// Finds an issue by its number, open or closed; `nil` when there is none.
  func issue(_ number: Int, of repository: RepositoryName) async throws -> Issue?

  /// Opens an issue.
  ///
  /// - Parameter key: Tells a repetition of the same draft, which opens no second issue.
  /// - Throws: ``IssueRefusal`` when something is wrong with its fields.
  func open(_ draft: IssueDraft, key: String) async throws -> Issue

  /// The repositories that the user has marked with a star, changes under way included. At hosts that are only read, there
  /// is no element.
  func starred() -> Updates<Stars>

  /// Marks a repository with a star, or removes the star.
  func star(_ repository: RepositoryName, isOn: Bool) -> HostChange

  /// Whether each issue is open that the user has closed or reopened, changes under way included.
  func changedIssues() -> Updates<[Issue.Reference: Bool]>

  /// Closes or reopens an issue.
  func change(_ issue: Issue.Reference, isOpen: Bool) -> HostChange

  /// Follows the issues of a repository as they are opened.
  ///
  /// - Parameter position: Where to go on, after an ``IssueEvent``; `nil` begins with the newest few.
  func openedIssues(of repository: RepositoryName, after position: String?) -> IssueEvents
}

/// The repositories that a user has marked with a star.
public struct Stars: Equatable, Sendable {
  /// Their ids; `nil` when they can't be loaded.
  public let ids: Set<Repository.ID>?
  /// Whether they are loaded again because they may be out of date.
  public let isLoading: Bool

  /// Creates stars.
  public init(_ ids: Set<Repository.ID>?, isLoading: Bool = false) {
    (self.ids, self.isLoading) = (ids, isLoading)
  }
}

/// Says that a host does not tell of issues as they are opened, or is not asked.
public struct UnwatchableHost: LocalizedError, Sendable {
  /// Creates the error.
  public init() {}

  /// A sentence for users.
  public var errorDescription: String? {
    "Issues can be watched only in the sandbox, and not offline."
  }
}

extension CodeHost {
  /// Finds none: not every host has single issues.
  public func issue(_ number: Int, of repository: RepositoryName) async throws -> Issue? { nil }

  /// Fails: most hosts are only read.
  public func open(_ draft: IssueDraft, key: String) async throws -> Issue { throw ReadOnlyHost() }

  /// No stars.
  public func starred() -> Updates<Stars> { .empty }

  /// Fails: most hosts are only read.
  public func star(_ repository: RepositoryName, isOn: Bool) -> HostChange { .refused }

  /// No changes.
  public func changedIssues() -> Updates<[Issue.Reference: Bool]> { .empty }

  /// Fails: most hosts are only read.
  public func change(_ issue: Issue.Reference, isOpen: Bool) -> HostChange { .refused }

  /// Fails: most hosts tell nothing by themselves.
  public func openedIssues(of repository: RepositoryName, after position: String?) -> IssueEvents {
    .unavailable
  }
}

extension IssueEvents {
  /// The events of a host that has none: an ``UnwatchableHost``.
  public static var unavailable: IssueEvents {
    IssueEvents(AsyncThrowingStream<IssueEvent, any Error>(unfolding: { throw UnwatchableHost() }))
    { $0 }
  }
}
