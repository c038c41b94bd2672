import Application
import CurlewLive
package import CurlewScreens
package import CurlewTerminal

/// The page-specific content in a terminal.
package struct TerminalContent<Event: Sendable> {
  var fields: [Field<Event>] = []
  var submit: Event?
  /// A sentence in place of the list or the text.
  var note: String?
  var list: List<Event>?
  var text: Text?
  /// The event that closes ``text``; `nil` if the text is the whole page.
  var close: Event?
  var shortcuts: [Shortcut<Event>] = []

  package init() {}
}

/// The address of a page of the showcase.
struct PageAddress: Route {
  let address: String

  init(_ address: String) { self.address = address }
  init?(address: String) { self.init(address) }
}

extension ShowcasePage {
  /// Returns a page at an address as an app in a terminal; `nil` for an address of another page.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - isScript: Whether to show only the status, which a script reads.
  ///   - recorder: The recorder of the screen.
  package func terminalApp(
    at address: String, isScript: Bool = false, recorder: TraceRecorder? = nil
  ) -> TerminalApp? {
    guard let query = query(of: address) else { return nil }
    return TerminalApp(
      screen, start: events(for: query, in: screen.initial), activity: activity,
      alertText: { isScript ? "" : AlertView($0, retry: "", isAlone: false).text },
      recorder: recorder,
      command: { self.events(of: $0, in: $1) }
    ) { state, activity in
      guard !isScript else {
        return TerminalView("", remarks: lines(of: state, activity))
      }
      let view = view(of: state, activity)
      let content = terminalContent(of: state, view)
      return TerminalView(
        title(of: state), status: view.status,
        remarks: view.lines.dropFirst(view.status.isEmpty ? 0 : 1) + stars(of: state),
        fields: content.fields, submit: content.submit, note: content.note, list: content.list,
        text: content.text, close: content.close, shortcuts: content.shortcuts,
        reload: ["refresh", "submit"].lazy.compactMap { event(for: LiveAction(name: $0)) }.first)
    }
  }

  /// Returns the events for a line: an action as in the page's markup (`term apple/swift`, `pick 12`), or an address of the
  /// page; `nil` for any other line.
  func events(of line: String, in state: Content.State) -> [Content.Event]? {
    if line.hasPrefix("/") { return query(of: line).map { events(for: $0, in: state) } }
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : ""
    return event(for: LiveAction(name: String(parts[0]), value: value)).map { [$0] }
  }

  /// Returns a field whose text is the value of an action.
  func field(
    _ action: String, _ label: String, _ text: String, prompt: String = ""
  ) -> Field<Content.Event> {
    Field(label, text: text, prompt: prompt) { event(for: LiveAction(name: action, value: $0)) }
  }

  /// Returns the field of a choice.
  func field(_ choice: ChoiceView) -> Field<Content.Event> {
    let options = choice.choices.map { (value: $0.value, title: $0.title) }
    let chosen = choice.choices.first(where: \.isChosen)?.value ?? ""
    return Field(choice.label, options: options, chosen: chosen) { [name = choice.name] in
      event(for: LiveAction(name: name, value: $0))
    }
  }

  /// Returns a shortcut for an action; `nil` if the page doesn't support it.
  func shortcut(
    _ key: Character, _ title: String, _ action: String, _ value: String = ""
  ) -> Shortcut<Content.Event>? {
    event(for: LiveAction(name: action, value: value)).map { Shortcut(key, title, .send($0)) }
  }

  /// Returns a list of examples, which open their addresses on the page.
  func list(_ examples: [ExampleView], in state: Content.State) -> List<Content.Event> {
    let opened = examples.map { example in
      (text: example.text, events: events(of: path + example.query, in: state) ?? [])
    }
    return List(opened, id: \.text, columns: [.text("", \.text)]) { .send($0.events) }
  }

  /// Returns a list with the state of a page's list.
  func list<Item: Sendable, ID: Hashable & SendableMetatype>(
    _ items: [Item], id: @escaping @Sendable (Item) -> ID, _ columns: [Column<Item>],
    in list: ListView,
    open: @escaping @Sendable (Item) -> TerminalAction<Content.Event>?,
    shortcuts: @escaping @Sendable (Item) -> [Shortcut<Content.Event>] = { _ in [] }
  ) -> List<Content.Event> {
    List(
      items, id: id, columns: columns,
      more: list.more?.last.flatMap { event(for: LiveAction(name: "appeared", value: $0)) },
      footer: list.more?.title ?? list.end, isOld: list.isOld, open: open, shortcuts: shortcuts)
  }
}

extension TerminalApp {
  /// Returns the app with all pages of the showcase.
  package func withPages(
    of sources: DataSources, recorder: TraceRecorder? = nil
  ) -> TerminalApp {
    let open = { @Sendable (route: any Route) in
      ScreenEntry.all.lazy.compactMap {
        $0.page(sources).terminalApp(at: route.address, recorder: recorder)
      }.first
    }
    return destination(for: PageAddress.self, open).destination(for: IssuesRoute.self, open)
      .destination(for: NewIssueRoute.self, open).destination(for: RepositoryRoute.self, open)
      .destination(for: MovieRoute.self, open)
  }
}
