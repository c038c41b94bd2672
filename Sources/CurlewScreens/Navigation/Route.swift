/// A destination in an app that can be converted to and from an address.
///
/// ```swift
/// enum AppRoute: Route {
///   case list
///   case item(Int)
///   var address: String { … }                  // "/items/12"
///   init?(address: String) { … }
/// }
/// ```
public protocol Route: Hashable, Sendable {
  /// Creates the route of an address, a path with an optional query; `nil` when it matches no route.
  init?(address: String)
  /// The address of the route: a path with an optional query.
  var address: String { get }
}

/// Performs the navigation that a screen requests by ``Work/go(to:)``: a browser opens the address, SwiftUI appends the
/// route to a path.
public protocol Navigator: Sendable {
  /// Navigates to a route.
  func go(to route: any Route)
}
