public import CurlewScreens
public import Domain
import Foundation

extension IssueDraft: FormDraft {}

/// A form for a new issue, which leads to the issue when it is open.
public typealias NewIssue = FormScreen<IssueDraft, Issue>

extension FormScreen where Draft == IssueDraft, Value == Issue {
  /// Opens issues at a host.
  public init(host: any CodeHost) {
    self.init(
      IssueDraft(),
      problems: { ($0 as? IssueRefusal)?.problems ?? [:] },
      route: { IssuesRoute($0.repository, picked: $0.number) },
      submit: { try await host.open($0, key: $1) })
  }
}

extension FormScreen: RefreshableScreen {
  /// Nothing: a form loads nothing.
  public func event(refreshing state: State) -> Event? { nil }
}

/// Leads to the form for a new issue: `/issues/new?repository=apple/swift`.
public struct NewIssueRoute: Route {
  /// The repository; `nil` leaves its name to be typed.
  public let repository: RepositoryName?

  /// Leads to the form for a repository.
  public init(_ repository: RepositoryName? = nil) {
    self.repository = repository
  }

  /// Reads an address; what is unknown in its query is left out.
  public init?(address: String) {
    guard let components = URLComponents(string: address), components.host == nil,
      components.path == "/issues/new"
    else { return nil }
    let text = components.queryItems?.first { $0.name == "repository" }?.value
    self.init(text.flatMap { RepositoryName($0) })
  }

  /// The path, and the name of the repository, of which nothing needs to be encoded.
  public var address: String {
    repository.map { "/issues/new?repository=\($0)" } ?? "/issues/new"
  }
}
