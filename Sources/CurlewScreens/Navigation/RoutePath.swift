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
public final class RoutePath<R: Route>: Navigator, @MainActor Codable {
  /// The routes, the current one last; empty at the root.
  public var routes: [R]

  /// Creates a path.
  public init(_ routes: [R] = []) {
    self.routes = routes
  }

  /// Creates a path from the addresses of its routes, up to an address that is no longer a route's.
  public convenience init(from decoder: any Decoder) throws {
    var routes: [R] = []
    for address in try [String](from: decoder) {
      guard let route = R(address: address) else { break }
      routes.append(route)
    }
    self.init(routes)
  }

  /// Encodes the addresses of the routes.
  public func encode(to encoder: any Encoder) throws {
    try routes.map(\.address).encode(to: encoder)
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

  /// Returns the view controllers of the routes, without the root's; `nil` if they are shown already.
  ///
  /// A route that stays keeps its view controller.
  ///
  /// - Parameters:
  ///   - shown: The view controllers that are shown, with their routes.
  ///   - make: A closure that makes the view controller of a route.
  public func show<Controller>(
    _ shown: inout [(route: R, controller: Controller)], make: (R) -> Controller
  ) -> [Controller]? {
    let kept = zip(shown, routes).prefix { $0.route == $1 }.count
    guard kept < max(shown.count, routes.count) else { return nil }
    shown = shown.prefix(kept) + routes.dropFirst(kept).map { ($0, make($0)) }
    return shown.map(\.controller)
  }

  /// Removes the routes whose view controllers the user has popped; keeps routes that are not shown yet.
  ///
  /// - Parameters:
  ///   - count: The number of view controllers that are left, without the root's.
  ///   - shown: The routes with their view controllers, as they were shown before.
  public func pop<Controller>(
    to count: Int, _ shown: inout [(route: R, controller: Controller)]
  ) {
    guard count < shown.count else { return }
    if routes.starts(with: shown.map(\.route)) { routes.removeSubrange(count..<shown.count) }
    shown.removeSubrange(count...)
  }
}
