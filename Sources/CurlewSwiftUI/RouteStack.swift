#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  /// A `NavigationStack` on a ``RoutePath``, with one closure that returns a route's view; links from outside the app
  /// open their route.
  ///
  /// ```swift
  /// RouteStack(path) {
  ///   ListView(model: ScreenModel(list, navigator: path))
  /// } destination: { route in
  ///   switch route {
  ///   case .list: ListView(…)
  ///   case .item(let id): ItemView(id)
  ///   }
  /// }
  /// ```
  public struct RouteStack<R: Route, Root: View, Destination: View>: View {
    @Bindable private var path: RoutePath<R>
    private let root: Root
    private let destination: (R) -> Destination

    /// Creates a stack.
    ///
    /// - Parameters:
    ///   - path: The routes.
    ///   - root: A closure that returns the root view.
    ///   - destination: A closure that returns the view of a route.
    public init(
      _ path: RoutePath<R>, @ViewBuilder root: () -> Root,
      @ViewBuilder destination: @escaping (R) -> Destination
    ) {
      self.path = path
      self.root = root()
      self.destination = destination
    }

    /// The stack.
    public var body: some View {
      NavigationStack(path: $path.routes) {
        root.navigationDestination(for: R.self) { route in
          // A different route in the same position is a different view.
          destination(route).id(route)
        }
      }
      .onOpenURL { path.open($0) }
    }
  }
#endif
