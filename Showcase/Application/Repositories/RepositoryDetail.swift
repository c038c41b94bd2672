public import CurlewScreens
public import Domain
import Foundation

/// One repository at length; its open issues are one step away.
public struct RepositoryDetail: Screen {
  /// The screen without its links to other screens.
  public typealias Base = Detail<RepositoryName, Repository, Repository>

  /// What happens on the screen.
  public enum Event: Sendable {
    /// Something happened to the repository.
    case detail(Base.Event)
    /// The user asks for its issues.
    case issues
  }

  private let detail: Base

  /// Shows the repositories of a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - recent: The repositories that lists showed.
  public init(host: any CodeHost, recent: RecentValues<RepositoryName, Repository> = RecentValues())
  {
    detail = Detail(known: { recent[$0] }, asOf: \.asOf) { try await host.repository(named: $0) }
  }

  /// No repository.
  public var initial: Base.State { detail.initial }

  /// Handles what happens on the screen.
  public func handle(
    _ event: Event, _ state: inout Base.State, _ work: inout Work<Base.State>
  ) {
    switch event {
    case .detail(let event): detail.handle(event, &state, &work)
    case .issues: if let name = state.id { work.go(to: IssuesRoute(name)) }
    }
  }

  /// The repository.
  public func loads(in state: Base.State) -> [LoadStatus<Event>] {
    detail.loads(in: state).map { $0.wrapping(Event.detail) }
  }

}

extension Detail.State where Known == Repository, Content == Repository {
  /// The repository as far as it is known; `nil` where there is none.
  public var repository: Repository? { latest }
}

/// Leads to one repository: `/repositories/apple/swift`.
public struct RepositoryRoute: Route {
  /// The repository.
  public let name: RepositoryName

  /// Leads to a repository.
  public init(_ name: RepositoryName) {
    self.name = name
  }

  /// Reads an address, without its query.
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

  /// The path; nothing in a name needs to be encoded.
  public var address: String { "/repositories/\(name)" }
}
