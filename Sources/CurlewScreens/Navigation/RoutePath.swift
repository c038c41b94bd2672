public import Foundation
public import Observation

/// The routes on the path of SwiftUI's `NavigationStack`.
///
/// ```swift
/// @State private var path = RoutePath<AppRoute>()
///
/// NavigationStack(path: $path.routes) {
///   ListView(model: ScreenModel(list, navigator: path))
///     .navigationDestination(for: AppRoute.self) { route in … }
/// }
/// .onOpenURL { path.open($0) }
/// ```
@MainActor
@Observable
public final class RoutePath<R: Route>: Navigator {
  /// The routes, the current one last; empty at the root.
  public var routes: [R]

  /// Creates a path.
  public init(_ routes: [R] = []) {
    self.routes = routes
  }

  /// Appends a route; ignores routes of another type than `R`.
  public nonisolated func go(to route: any Route) {
    if let route = route as? R { Task { @MainActor in routes.append(route) } }
  }

  /// Replaces the path with the route of a URL from outside the app; returns whether its address matches a route.
  ///
  /// The address is `/items/7?tab=log` for `https://example.com/items/7?tab=log` and for `myapp://items/7?tab=log`.
  @discardableResult
  public func open(_ url: URL) -> Bool {
    let isWeb = ["http", "https"].contains(url.scheme?.lowercased())
    let host = isWeb ? "" : url.host().map { "/\($0)" } ?? ""
    let address = host + url.path() + (url.query().map { "?\($0)" } ?? "")
    guard let route = R(address: address) else { return false }
    routes = [route]
    return true
  }
}
