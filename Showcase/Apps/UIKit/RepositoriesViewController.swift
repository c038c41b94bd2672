#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// The repositories of a language.
  final class RepositoriesViewController: TableViewController<Repositories, Repository.ID> {
    override var text: String? { model.search.text }

    override func type(_ text: String) { model.send(.search(.term(text))) }

    override func submit() { model.send(.search(.submit())) }

    override func refresh() -> PendingWork? { model.send(.search(.list(.refresh))) }

    override func retry() { model.send(.search(.list(.retry))) }

    override func viewDidLoad() {
      super.viewDidLoad()
      title = "Repositories"
      table.onAppear = { [weak self] in self?.model.send(.search(.list(.appeared($0)))) }
      table.onPick = { [weak self] id in
        guard let name = self?.model.search.list[id]?.name else { return }
        self?.model.send(.pick(name))
      }
    }

    override func update() {
      super.update()
      table.show(
        model.search.list.items.map { repository in
          let row = RepositoryRow(repository)
          return (repository.id, row.name, row.summary)
        })
      show(model.search.placeholder)
      show(model.search.list.footer)
    }
  }

  /// The details of a repository.
  final class RepositoryViewController: TableViewController<RepositoryDetail, String> {
    private let name: RepositoryName

    init(_ name: RepositoryName, _ model: ScreenModel<RepositoryDetail>) {
      self.name = name
      super.init(model)
    }

    override func refresh() -> PendingWork? { model.send(.detail(.refresh)) }

    override func viewDidLoad() {
      super.viewDidLoad()
      title = "\(name)"
      model.send(.detail(.show(name)))
    }

    override func update() {
      super.update()
      guard let repository = model.repository else { return }
      let row = RepositoryRow(repository)
      table.show(
        [
          ("About", row.summary), ("Stars", row.stars), ("Forks", row.forks),
          ("Licence", repository.licence),
        ]
        .compactMap { title, text in text.map { (title, $0, title) } })
    }
  }
#endif
