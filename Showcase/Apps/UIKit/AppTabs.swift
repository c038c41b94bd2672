#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Foundation
  import UIKit

  /// The five UIKit apps as tabs; an incoming link selects its tab.
  final class AppTabs: UITabBarController {
    private let repositories = RoutePath<RepositoryRoute>()
    private let movies = RoutePath<MovieRoute>()

    convenience init(_ sources: AppSources) {
      self.init()
      let movieList = RouteNavigationController(
        movies, root: MoviesViewController(sources, path: movies)
      ) { route in
        MovieViewController(route, sources)
      }
      viewControllers = [
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
      if let account = sources.account {
        let signIn = UINavigationController(
          rootViewController: SignInViewController(account, sources))
        viewControllers?.append(tab(signIn, "Account", "person"))
      }
    }

    /// Opens a link from outside the app.
    func open(_ url: URL) {
      if repositories.open(url) { selectedIndex = 0 }
      if movies.open(url) { selectedIndex = 2 }
    }

    private func tab(
      _ controller: UIViewController, _ title: String, _ image: String
    ) -> UIViewController {
      controller.tabBarItem = UITabBarItem(
        title: title, image: UIImage(systemName: image), tag: 0)
      return controller
    }
  }
#endif
