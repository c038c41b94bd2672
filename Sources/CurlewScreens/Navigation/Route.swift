/// A place in an app, as a value and as an address.
///
/// ```swift
/// enum Place: Route {
///   case list
///   case item(Int)
///   var address: String { … }                  // "/items/12"
///   init?(address: String) { … }
/// }
/// ```
public protocol Route: Hashable, Sendable {
  /// Reads an address: a path, perhaps with a query; `nil` when it leads to no place.
  init?(address: String)
  /// The address that leads here.
  var address: String { get }
}

/// Takes a user to where a screen says.
///
/// A screen says it with ``Work/go(to:)``; the adapter to a user interface does it: a browser opens
/// the address, SwiftUI appends to a path.
public protocol Navigator: Sendable {
  /// Goes to a place.
  func go(to route: any Route)
}
