public import CurlewScreens
public import Domain
import Foundation

extension IssueDraft: FormDraft {}

/// A form for a new issue, which navigates to the created issue.
public typealias NewIssue = FormScreen<IssueDraft, Issue>

extension FormScreen where Draft == IssueDraft, Value == Issue {
  /// Creates a form that opens issues at a host.
  public init(host: any CodeHost) {
    self.init(
      IssueDraft(),
      problems: { ($0 as? IssueRefusal)?.problems ?? [:] },
      route: { IssuesRoute($0.repository, picked: $0.number) },
      submit: { try await host.open($0, key: $1) })
  }
}

/// The route to the form for a new issue, such as `/issues/new?repository=apple/swift`.
public struct NewIssueRoute: Route {
  /// The repository; `nil` if the user types its name.
  public let repository: RepositoryName?

  /// Creates a route to the form for a repository.
  public init(_ repository: RepositoryName? = nil) {
    self.repository = repository
  }

  /// Parses an address; ignores an invalid repository name.
  public init?(address: String) {
    guard let components = URLComponents(string: address), components.host == nil,
      components.path == "/issues/new"
    else { return nil }
    let text = components.queryItems?.first { $0.name == "repository" }?.value
    self.init(text.flatMap { RepositoryName($0) })
  }

  /// The path and the repository's name, which needs no percent-encoding.
  public var address: String {
    repository.map { "/issues/new?repository=\($0)" } ?? "/issues/new"
  }
}
