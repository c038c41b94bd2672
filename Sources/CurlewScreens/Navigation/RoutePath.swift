public import Observation

/// The places that a user has gone to, for SwiftUI's `NavigationStack`.
///
/// ```swift
/// @State private var path = RoutePath<Place>()
///
/// NavigationStack(path: $path.routes) {
///   ListView(model: ScreenModel(list, navigator: path))
///     .navigationDestination(for: Place.self) { place in … }
/// }
/// .onOpenURL { path.open($0.path()) }
/// ```
@MainActor
@Observable
public final class RoutePath<R: Route>: Navigator {
  /// The places, the present one last; empty at the root.
  public var routes: [R]

  /// Creates a path.
  public init(_ routes: [R] = []) {
    self.routes = routes
  }

  /// Goes to a place, if it is one of this app's.
  public nonisolated func go(to route: any Route) {
    guard let route = route as? R else { return }
    Task { @MainActor in routes.append(route) }
  }

  /// Goes to an address from outside; returns whether it leads anywhere.
  @discardableResult
  public func open(_ address: String) -> Bool {
    guard let route = R(address: address) else { return false }
    routes = [route]
    return true
  }
}
