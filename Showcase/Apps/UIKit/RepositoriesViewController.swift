#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// The repositories of a language.
  final class RepositoriesViewController: MediaListController<Repositories, Repository> {
    convenience init(_ sources: AppSources, path: RoutePath<RepositoryRoute>) {
      let list = Repositories(host: sources.host, recent: sources.recent, first: "swift")
      self.init("Repositories", sources.model(list, navigator: path), sources)
    }

    override func makePresenter() -> Presenter { Presenter(\.search) { .search($0) } }

    override func viewDidLoad() {
      super.viewDidLoad()
      searchBar.placeholder = "Language"
      let minimums = RepositoryFilter.minimums.map { minimum in
        UIAction(title: minimum == 0 ? "All" : "At least \(minimum) stars") { [model] _ in
          model?.send(.openFilter)
          model?.send(.filter(.minimum(minimum)))
          model?.send(.applyFilter)
        }
      }
      navigationItem.rightBarButtonItem = UIBarButtonItem(
        title: "Filter", menu: UIMenu(children: minimums))
    }

    override func configure(_ cell: UICollectionViewListCell, for repository: Repository) {
      let texts = RepositoryRow(repository)
      cell.contentConfiguration = row(
        texts.name, texts.avatar, texts.summary, texts.stars.map { "\($0) stars" })
    }

    override func select(_ repository: Repository) { model.send(.pick(repository.name)) }
  }

  /// The details of a repository.
  final class RepositoryViewController: DetailController<RepositoryDetail> {
    convenience init(_ name: RepositoryName, _ sources: AppSources) {
      let detail = RepositoryDetail(host: sources.host, recent: sources.recent)
      self.init("\(name)", sources.model(detail), sources)
      model.send(.detail(.show(name)))
    }

    override func refresh() -> PendingWork? { model.send(.detail(.refresh)) }

    override func update() {
      if model.detail.content == .empty { return show(nil, ["There is no such repository"]) }
      navigationItem.showPending(model.pending) { [model] in model?.send(.pending($0)) }
      guard let repository = model.repository else { return }
      if let isStarred = model.stars.isStarred(repository) {
        let star = UIAction(title: isStarred ? "Remove the star" : "Star") { [model] _ in
          model?.send(.stars(.star(repository.name, isOn: !isStarred)))
        }
        navigationItem.rightBarButtonItem = UIBarButtonItem(primaryAction: star)
      }
      let texts = RepositoryRow(repository)
      show(
        texts.avatar,
        [
          texts.summary, model.pending.text(ofStar: repository.name),
          "\(texts.stars ?? "–") stars, \(texts.forks ?? "–") forks",
          repository.openIssues.map { "\($0) open issues" }, repository.licence,
        ])
    }
  }
#endif
