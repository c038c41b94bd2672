import Application
import CurlewLive
import CurlewScreens
import CurlewTerminal
import Domain

extension RepositoriesPage {
  func terminalContent(
    of state: Repositories.State, _ view: RepositoriesView
  ) -> TerminalContent<Repositories.Event> {
    let (items, stars) = (state.search.list.items, state.stars)
    var content = TerminalContent<Repositories.Event>()
    content.fields = [field("term", "Language", view.text, prompt: "Swift")]
    content.submit = .search(.submit())
    content.shortcuts = [Shortcut("f", "filter", .send(.openFilter))]
    if let filter = state.filter {
      content.fields.append(field(FilterView.choice(of: filter)))
      content.shortcuts = [Shortcut("f", "show", .send(.applyFilter))]
      content.close = .closeFilter
    }
    content.shortcuts += shortcuts(for: state.pending)
    content.list =
      view.list.isIdle
      ? list(view.examples, in: state)
      : list(
        items, id: \.id,
        [.word("") { stars.isStarred($0) == true ? "★" : "" }] + Repository.columns(now: now()),
        in: view.list
      ) {
        .go(to: RepositoryRoute($0.name))
      } shortcuts: {
        starring($0, stars.isStarred($0))
      }
    return content
  }
}

extension RepositoryPage {
  func terminalContent(
    of state: RepositoryDetail.State, _ view: RepositoryView
  ) -> TerminalContent<RepositoryDetail.Event> {
    let stars = state.stars
    var content = TerminalContent<RepositoryDetail.Event>()
    if view.repository != nil, let repository = state.repository {
      content.text = Text(facts: repository.facts)
      content.shortcuts =
        [Shortcut("i", "issues", .send(.issues))]
        + starring(repository, stars.isStarred(repository)) + shortcuts(for: state.pending)
    }
    return content
  }
}

extension ShowcasePage {
  /// Returns the shortcut that stars or unstars a repository; none if that is not possible.
  fileprivate func starring(
    _ repository: Repository, _ isStarred: Bool?
  ) -> [Shortcut<Content.Event>] {
    guard let isStarred else { return [] }
    let star = StarView(repository.name, isOn: isStarred)
    return [shortcut("s", star.action, star.action, "\(repository.name)")].compactMap(\.self)
  }
}
