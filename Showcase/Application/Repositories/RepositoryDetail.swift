public import CurlewScreens
public import Domain
import Foundation

/// The screen of a repository, with a link to its open issues.
public struct RepositoryDetail: Screen {
  /// The screen without its links to other screens.
  public typealias Base = Detail<RepositoryName, Repository, Repository>

  /// The events of the screen.
  public enum Event: Sendable {
    /// An event of the repository's load.
    case detail(Base.Event)
    /// The user opens the repository's issues.
    case issues
  }

  private let detail: Base

  /// Creates a screen for the repositories of a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - recent: The repositories shown in lists.
  public init(host: any CodeHost, recent: RecentValues<RepositoryName, Repository> = RecentValues())
  {
    detail = Detail(
      known: { recent[$0] }, source: Source(asOf: \.asOf) { try await host.repository(named: $0) })
  }

  /// The initial state: no repository.
  public var initial: Base.State { detail.initial }

  /// The repository.
  public var parts: [Part<Base.State, Event>] { [Part(\.self, detail, event: Event.detail)] }

  /// Handles an event of the screen.
  public func handle(
    _ event: Event, _ state: inout Base.State, _ work: inout Work<Base.State>
  ) {
    switch event {
    case .detail(let event): work.scope(\.self) { detail.handle(event, &state, &$0) }
    case .issues: if let name = state.id { work.go(to: IssuesRoute(name)) }
    }
  }
}

extension Detail.State where Known == Repository, Content == Repository {
  /// The repository as far as it is loaded; `nil` if there is none.
  public var repository: Repository? { latest }
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
