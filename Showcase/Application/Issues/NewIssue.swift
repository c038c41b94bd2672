public import CurlewScreens
public import Domain
import Foundation

extension IssueDraft: FormDraft {}

/// A form for a new issue, which leads to the issue when it is open.
public struct NewIssue: LoadingScreen {
  /// The form.
  public typealias Draft = EntryForm<IssueDraft, Issue>

  /// What happens on the screen.
  public enum Event: Sendable {
    /// Something happened to the form.
    case form(Draft.Event)
    /// The user sends what the fields hold; a form without JavaScript has the key that it was
    /// rendered with.
    case send([IssueDraft.Field: String], key: String?)
  }

  private let form: Draft

  /// Opens issues at a host.
  public init(host: any CodeHost) {
    form = EntryForm(
      IssueDraft(),
      problems: { ($0 as? IssueRefusal)?.problems ?? [:] },
      route: { IssuesRoute($0.repository, picked: $0.number) },
      submit: { try await host.open($0, key: $1) })
  }

  /// Empty fields.
  public var initial: Draft.State { form.initial }

  /// Handles what happens on the screen.
  public func handle(_ event: Event, _ state: inout Draft.State, _ work: inout Work<Draft.State>) {
    switch event {
    case .form(let event): form.handle(event, &state, &work)
    case .send(let texts, let key):
      for (field, text) in texts { form.handle(.change(field, text), &state, &work) }
      if let key { form.handle(.restore(key: key), &state, &work) }
      form.handle(.submit, &state, &work)
    }
  }

  /// The submit.
  public func loads(in state: Draft.State) -> [Load] { form.loads(in: state) }

  /// Submits again.
  public func event(retrying load: WorkID) -> Event? {
    form.event(retrying: load).map { .form($0) }
  }
}

extension NewIssue: RefreshableScreen {
  /// Nothing: it loads nothing.
  public func event(refreshing state: Draft.State) -> Event? { nil }
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
