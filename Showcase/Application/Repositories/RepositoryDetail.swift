public import CurlewScreens
public import Domain
import Foundation

/// The screen of a repository, with its star and a link to its open issues.
public struct RepositoryDetail: Screen {
  /// The load of the repository.
  public typealias Base = Detail<RepositoryName, Repository, Repository>

  /// The events of the screen.
  public enum Event: Sendable {
    /// An event of the repository's load.
    case detail(Base.Event)
    /// An event of the user's stars.
    case stars(Starring.Event)
    /// An event of the user's pending changes.
    case pending(PendingChanges.Event)
    /// The user opens the repository's issues.
    case issues
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The repository.
    public fileprivate(set) var detail = Base.State()
    /// The user's stars.
    public fileprivate(set) var stars = Starring.State()
    /// The user's changes that the host has not confirmed.
    public fileprivate(set) var pending = PendingChanges.State()

    /// The repository as far as it is loaded; `nil` if there is none.
    public var repository: Repository? { detail.latest }
  }

  private let detail: Base
  private let stars: Starring
  private let pending: PendingChanges

  /// Creates a screen for the repositories of a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - recent: The repositories shown in lists.
  public init(host: any CodeHost, recent: RecentValues<RepositoryName, Repository> = RecentValues())
  {
    detail = Detail(
      known: { recent[$0] }, source: Source(asOf: \.asOf) { try await host.repository(named: $0) })
    (stars, pending) = (Starring(host: host), PendingChanges(host: host))
  }

  /// The initial state: no repository.
  public let initial = State()

  /// The repository, the stars and the pending changes.
  public var parts: [Part<State, Event>] {
    [
      Part(\.detail, detail, event: Event.detail), Part(\.stars, stars, event: Event.stars),
      Part(\.pending, pending, event: Event.pending),
    ]
  }

  /// Reads the pending changes, among which a new star may be.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    pending.read(&state.pending)
  }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .detail(let event): work.scope(\.detail) { detail.handle(event, &state.detail, &$0) }
    case .stars(let event): work.scope(\.stars) { stars.handle(event, &state.stars, &$0) }
    case .pending(let event):
      work.scope(\.pending) { pending.handle(event, &state.pending, &$0) }
    case .issues: if let name = state.detail.id { work.go(to: IssuesRoute(name)) }
    }
  }
}

/// The route to a repository, such as `/repositories/apple/swift`.
public struct RepositoryRoute: Route {
  /// The repository.
  public let name: RepositoryName

  /// Creates a route to a repository.
  public init(_ name: RepositoryName) {
    self.name = name
  }

  /// Parses an address; ignores its query.
  public init?(address: String) {
    guard let components = URLComponents(string: address), components.host == nil else {
      return nil
    }
    let parts = components.percentEncodedPath.split(separator: "/")
    guard parts.count == 3, parts[0] == "repositories",
      let name = RepositoryName(owner: parts[1], name: parts[2])
    else { return nil }
    self.init(name)
  }

  /// The path; a name needs no percent-encoding.
  public var address: String { "/repositories/\(name)" }
}
