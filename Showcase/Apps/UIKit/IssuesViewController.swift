#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  public import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  public import UIKit

  /// The issues of a repository.
  final class IssuesViewController: TableViewController<IssueTracker, Int> {
    override func type(_ text: String) { model.send(.search(.term(text))) }

    override func submit() { model.send(.search(.submit())) }

    override func refresh() -> SentEvent? { model.send(.search(.list(.refresh))) }

    override func viewDidLoad() {
      super.viewDidLoad()
      title = "Issues"
      table.onAppear = { [weak self] in self?.model.send(.search(.list(.appeared($0)))) }
    }

    override func update() {
      super.update()
      table.show(
        model.issues.map { issue in
          let row = IssueRow(issue, now: .now)
          return (issue.id, row.title, "\(row.number) by \(row.author), \(row.age)")
        })
      show(model.search.placeholder, initial: IssueTracker.hint)
    }
  }

  /// Makes the view controllers of the apps in UIKit.
  @MainActor
  public enum AppControllers {
    /// Returns the issue tracker.
    public static func issues(_ sources: AppSources) -> UIViewController {
      IssuesViewController(sources.model(IssueTracker(TrackIssues(host: sources.host))))
    }

    /// Returns a navigation controller with the repositories, which pushes the page of each.
    public static func repositories(_ sources: AppSources) -> UIViewController {
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
