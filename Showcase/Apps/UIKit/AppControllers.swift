#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  public import UIKit

  /// Creates the view controllers of the UIKit apps.
  @MainActor
  public enum AppControllers {
    /// Returns the five apps as tabs.
    public static func tabs(_ sources: AppSources) -> UITabBarController {
      let (repositories, movies) = (RoutePath<RepositoryRoute>(), RoutePath<MovieRoute>())
      let movieList = RouteNavigationController(
        movies, root: MoviesViewController(sources, path: movies)
      ) { route in
        MovieViewController(route, sources)
      }
      let tabs = UITabBarController()
      tabs.viewControllers = [
        tab(
          RouteNavigationController(
            repositories, root: RepositoriesViewController(sources, path: repositories)
          ) { RepositoryViewController($0.name, sources) }, "Repositories", "books.vertical"),
        tab(
          UINavigationController(rootViewController: IssuesViewController(sources)), "Issues",
          "exclamationmark.circle"),
        tab(movieList, "Movies", "film"),
        tab(
          UINavigationController(rootViewController: TopMoviesViewController(sources)),
          "Top Movies", "list.number"),
        tab(
          UINavigationController(rootViewController: DogsViewController(sources)), "Dogs",
          "pawprint"),
      ]
      return tabs
    }

    private static func tab(
      _ controller: UIViewController, _ title: String, _ image: String
    ) -> UIViewController {
      controller.tabBarItem = UITabBarItem(
        title: title, image: UIImage(systemName: image), tag: 0)
      return controller
    }
  }
#endif
