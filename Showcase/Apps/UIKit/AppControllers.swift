#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  public import UIKit

  /// Creates the view controllers of the UIKit apps.
  @MainActor
  public enum AppControllers {
    /// Returns the repositories, the issue tracker and the dogs as tabs.
    public static func tabs(_ sources: AppSources) -> UITabBarController {
      let tabs = UITabBarController()
      tabs.viewControllers = [
        tab(repositories(sources), "Repositories", "books.vertical"),
        tab(
          UINavigationController(
            rootViewController: IssuesViewController(
              sources.model(IssueTracker(TrackIssues(host: sources.host))))),
          "Issues", "exclamationmark.circle"),
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

    /// Returns the list of repositories, which pushes the selected repository.
    private static func repositories(_ sources: AppSources) -> UIViewController {
      let navigation = UINavigationController()
      let navigator = NavigationControllerNavigator<RepositoryRoute>(navigation) { route, _ in
        RepositoryViewController(
          route.name,
          sources.model(RepositoryDetail(host: sources.host, recent: sources.recent)))
      }
      let list = Repositories(host: sources.host, recent: sources.recent, first: "swift")
      navigation.viewControllers = [
        RepositoriesViewController(sources.model(list, navigator: navigator))
      ]
      return navigation
    }
  }
#endif
