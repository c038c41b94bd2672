/// The view controllers of the routes of a ``RoutePath`` in a navigation controller: a route that stays keeps its view
/// controller.
public struct RouteControllers<R: Route, Controller> {
  private var shown: [(route: R, controller: Controller)] = []

  /// Creates an empty stack.
  public init() {}

  /// Returns the view controllers of the routes, without the root's; `nil` if they are shown already.
  ///
  /// - Parameters:
  ///   - routes: The routes of the path.
  ///   - make: A closure that makes the view controller of a route.
  public mutating func show(_ routes: [R], make: (R) -> Controller) -> [Controller]? {
    let kept = zip(shown, routes).prefix { $0.route == $1 }.count
    guard kept < max(shown.count, routes.count) else { return nil }
    shown = shown.prefix(kept) + routes.dropFirst(kept).map { ($0, make($0)) }
    return shown.map(\.controller)
  }

  /// Removes the routes whose view controllers the user has popped; keeps routes that were appended since the last
  /// ``show(_:make:)``.
  ///
  /// - Parameters:
  ///   - count: The number of view controllers that are left, without the root's.
  ///   - routes: The routes of the path.
  public mutating func pop(to count: Int, in routes: inout [R]) {
    guard count < shown.count else { return }
    if routes.starts(with: shown.map(\.route)) { routes.removeSubrange(count..<shown.count) }
    shown.removeSubrange(count...)
  }
}
