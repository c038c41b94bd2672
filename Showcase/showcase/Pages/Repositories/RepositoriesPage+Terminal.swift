import Application
import CurlewScreens
import Domain

extension RepositoriesPage {
  func terminalContent(
    of state: Repositories.State, _ view: RepositoriesView
  ) -> TerminalContent {
    let (items, stars) = (state.search.list.items, state.stars)
    var content = TerminalContent()
    content.fields = [
      TerminalField("term", label: "Language", text: view.text, placeholder: "Swift")
    ]
    content.submit = "submit"
    content.shortcuts = [TerminalShortcut("f", "filter", .act("filter"))]
    if let filter = state.filter {
      content.choices = [FilterView.choice(of: filter)]
      content.shortcuts = [TerminalShortcut("f", "show", .act("apply"))]
      content.close = "close"
    }
    var list = TerminalList(
      items, key: \.id,
      [.mark { stars.isStarred($0) == true ? "★" : " " }] + Repository.columns(now: now()),
      in: view.list
    ) { .command(.open(RepositoryRoute($0.name).address)) }
    list.shortcuts = { .starring(items[$0], stars.isStarred(items[$0])) }
    content.shortcuts += .pending(state.pending)
    content.list = view.list.isIdle ? TerminalList(view.examples, of: path) : list
    return content
  }
}

extension RepositoryPage {
  func terminalContent(
    of state: RepositoryDetail.State, _ view: RepositoryView
  ) -> TerminalContent {
    let stars = state.stars
    var content = TerminalContent()
    if view.repository != nil, let repository = state.repository {
      content.detail = TerminalDetail(title: "", facts: repository.facts)
      content.shortcuts =
        [TerminalShortcut("i", "issues", .act("issues"))]
        + .starring(repository, stars.isStarred(repository)) + .pending(state.pending)
    }
    return content
  }
}

extension [TerminalShortcut] {
  /// Returns the shortcut that stars or unstars a repository; none if that is not possible.
  fileprivate static func starring(_ repository: Repository, _ isStarred: Bool?) -> Self {
    isStarred.map { isOn in
      let star = StarView(repository.name, isOn: isOn)
      return [TerminalShortcut("s", star.action, .act(star.action, "\(repository.name)"))]
    } ?? []
  }
}
