#if canImport(UIKit) && !os(watchOS)
  public import CurlewScreens
  import Observation
  public import UIKit

  /// A navigation controller on a ``RoutePath``: a change of the path pushes, pops or replaces view controllers, and the
  /// user's Back changes the path.
  public final class RouteNavigationController<R: Route>: UINavigationController,
    UINavigationControllerDelegate
  {
    private let path: RoutePath<R>
    private let make: (R) -> UIViewController
    private var shown: [(route: R, controller: UIViewController)] = []

    /// Creates a navigation controller; `make` makes the view controller of a route.
    public init(
      _ path: RoutePath<R>, root: UIViewController, make: @escaping (R) -> UIViewController
    ) {
      (self.path, self.make) = (path, make)
      super.init(nibName: nil, bundle: nil)
      viewControllers = [root]
      delegate = self
      show()
    }

    /// Returns `nil`: a path can't be archived.
    public required init?(coder: NSCoder) { nil }

    private func show() {
      withObservationTracking {
        _ = path.routes
      } onChange: { [weak self] in
        Task { @MainActor in self?.show() }
      }
      guard let controllers = path.show(&shown, make: make) else { return }
      setViewControllers(
        viewControllers.prefix(1) + controllers, animated: viewIfLoaded?.window != nil)
    }

    /// Removes the routes that the user has popped.
    public func navigationController(
      _ navigation: UINavigationController, didShow controller: UIViewController, animated: Bool
    ) {
      path.pop(to: viewControllers.count - 1, &shown)
    }
  }
#endif
