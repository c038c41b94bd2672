#if canImport(UIKit) && !os(watchOS)
  public import CurlewScreens
  public import UIKit

  /// A navigator that pushes the view controller of a route onto a navigation controller.
  ///
  /// ```swift
  /// let navigation = UINavigationController()
  /// let navigator = NavigationControllerNavigator<AppRoute>(navigation) { route, navigator in
  ///   switch route {
  ///   case .item(let id): ItemViewController(ScreenModel(detail, navigator: navigator))
  ///   }
  /// }
  /// ```
  @MainActor
  public final class NavigationControllerNavigator<R: Route>: Navigator {
    private weak var navigation: UINavigationController?
    private let make: (R, NavigationControllerNavigator<R>) -> UIViewController

    /// Creates a navigator.
    ///
    /// - Parameters:
    ///   - navigation: The navigation controller; it is not retained.
    ///   - make: A closure that makes the view controller of a route; its second argument is the navigator.
    public init(
      _ navigation: UINavigationController,
      make: @escaping (R, NavigationControllerNavigator<R>) -> UIViewController
    ) {
      (self.navigation, self.make) = (navigation, make)
    }

    /// Pushes the view controller of a route; ignores routes of another type than `R`.
    public nonisolated func go(to route: any Route) {
      guard let route = route as? R else { return }
      Task { @MainActor in
        navigation?.pushViewController(make(route, self), animated: true)
      }
    }
  }
#endif
