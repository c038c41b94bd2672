package import Application
package import CurlewLive
package import CurlewScreens
package import Foundation

/// A page of the showcase: a screen with its activity, drawn by a template.
///
/// A page says which events addresses and actions mean to its own screen, and describes a state to the
/// template; dismissed errors, the countdown and the announcement are the same for all.
package protocol ShowcasePage: LivePage where Content == Tracked<Inner> {
  /// The screen without its activity.
  associatedtype Inner: Screen
  /// What it shows of a state.
  associatedtype View: PageView

  var screen: Tracked<Inner> { get }

  /// Returns the events that bring the screen from a state to what an address says.
  func innerEvents(for query: LiveQuery, in state: Inner.State) -> [Inner.Event]
  /// Returns the event that an action in the browser means; `nil` for none.
  func innerEvent(for action: LiveAction) -> Inner.Event?
  /// Describes a state.
  func view(of state: Tracked<Inner>.State) -> View
  /// Returns the fields, the list and the keys of a state in a terminal; nothing by default.
  func terminalContent(of state: Tracked<Inner>.State, _ view: View) -> TerminalContent
}

/// A page that says how old is what it shows, and refreshes itself when the network is back.
package protocol DatedPage: ShowcasePage where Inner: RefreshableScreen {
  init(screen: Tracked<Inner>, now: @escaping @Sendable () -> Date)
}

extension DatedPage {
  package init(
    _ screen: Inner, isOffline: @escaping OfflineFlags = noOfflineFlags,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(screen: ActivityTracking(screen, isOffline: isOffline), now: now)
  }
}

/// What a page shows of a state.
package protocol PageView: TemplateView {
  /// What a screen reader announces when the state changes, and a terminal prints.
  var status: String { get }
  /// The entries that are missing in the list.
  var leftOut: LeftOut? { get }
  /// How old is what is shown; `nil` where it is always new.
  var age: AgeView? { get }
}

/// A page around a list that comes in pages.
protocol ListPageView: PageView {
  var list: ListView { get }
}

extension ListPageView {
  package var leftOut: LeftOut? { list.leftOut }
  package var age: AgeView? { list.age }
}

/// A page of one thing.
protocol DetailPageView: PageView {
  var detail: DetailView { get }
}

extension DetailPageView {
  package var age: AgeView? { detail.age }
}

extension PageView {
  package var leftOut: LeftOut? { nil }
  package var age: AgeView? { nil }

  /// What a terminal prints of it.
  package var lines: [String] {
    [status, leftOut?.summary, age?.text].compactMap { $0 }.filter { !$0.isEmpty }
  }
}

extension ShowcasePage {
  package func events(for query: LiveQuery, in state: Content.State) -> [Content.Event] {
    innerEvents(for: query, in: state.content.content).map { .content($0) }
  }

  package func event(for action: LiveAction) -> Content.Event? {
    if action.name == "dismiss" { return .dismiss("\(action.value)") }
    return innerEvent(for: action).map { .content($0) }
  }

  package func render(_ state: Content.State) -> HTML { view(of: state).html }

  /// Returns what there is to say of a state; empty for nothing.
  package func announcement(of state: Content.State) -> String { view(of: state).status }

  /// Returns the lines that a terminal prints of a state.
  package func lines(of state: Content.State) -> [String] {
    let view = view(of: state)
    let refusals = state.activity.alerts.filter { $0.name == .change }.map(\.failure.message)
    return view.lines + stars(of: state) + refusals.filter { !$0.isEmpty }
  }

  private func stars(of state: Content.State) -> [String] {
    slots(of: state)[PageLayout.starred].map { $0.text.isEmpty ? [] : ["\($0.text) starred"] } ?? []
  }

  /// Returns what a terminal's whole window shows of a state.
  package func terminalView(of state: Content.State) -> TerminalView {
    let view = view(of: state)
    return TerminalView(
      title: title(of: state), status: view.status,
      remarks: Array(view.lines.dropFirst(view.status.isEmpty ? 0 : 1)) + stars(of: state),
      alerts: state.activity.alerts.map { alert in
        TerminalView.Alert(
          text: AlertView(alert, retry: "", isAlone: false).text, name: "\(alert.name)",
          canRetry: alert.canRetry)
      }, isBusy: state.activity.isVisible, content: terminalContent(of: state, view))
  }

  package func terminalContent(of state: Content.State, _ view: View) -> TerminalContent {
    TerminalContent()
  }

  /// Says when a page goes on whose server takes no more requests for now.
  package func reloadDelay(of state: Content.State) -> Duration? {
    // A change that is refused is not sent by a page that is loaded again.
    state.activity.alerts.filter { $0.name != .change }.compactMap(\.secondsLeft).min()
      .map { .seconds($0) }
  }
}

extension Feed.Event where Item.ID: LosslessStringConvertible {
  /// The event that an action of a list means; `nil` for none.
  init?(_ action: LiveAction) {
    switch action.name {
    case "retry": self = .retry
    case "refresh": self = .refresh
    case "more": self = .more
    case "appeared":
      guard let id = Item.ID(action.value) else { return nil }
      self = .appeared(id)
    default: return nil
    }
  }
}

extension Search.Event {
  /// The event that an action in a search field means; `nil` for none.
  init?(_ action: LiveAction) {
    switch action.name {
    case "term": self = .term(action.value.asTyped())
    case "submit": self = .submit
    case "retry": self = .retry
    default: return nil
    }
  }
}

extension Search.State {
  /// The events that bring a search to a text of an address.
  func events(for text: String?) -> [Search.Event] {
    let text = (text ?? "").asTyped()
    let isShown = term == text && results.failure == nil
    return [.term(text)] + (isShown ? [] : [.submit])
  }

  /// Whether what stands in the field was searched: half a word is no address to come back to.
  var isSettled: Bool { query.isEmpty || query == term }

  /// The address of the text in the field.
  var address: LiveAddress {
    LiveAddress(["q": query.isEmpty ? nil : query], isHistoryEntry: isSettled)
  }
}

extension PagedSearch.Event where Item.ID: LosslessStringConvertible {
  /// The event that an action on a list with a search field means; `nil` for none.
  init?(_ action: LiveAction) {
    switch action.name {
    case "term": self = .term(action.value.asTyped())
    case "submit": self = .submit()
    default:
      guard let event = Feed<Item>.Event(action) else { return nil }
      self = .list(event)
    }
  }
}

extension PagedSearch.State {
  /// The events that bring a search to a text and the pages of an address.
  func events(for text: String?, in query: LiveQuery) -> [PagedSearch.Event] {
    let text = (text ?? "").asTyped()
    let isShown = term == text && list.start == query.page && list.failure == nil
    return [.term(text)] + (isShown ? [] : [.submit(from: query.page, pageCount: query.pages)])
  }

  /// Whether what stands in the field was searched: half a word is no address to come back to.
  var isSettled: Bool { query.isEmpty || query == term }

  /// The list of what stands in the field; `nil` while another text is typed.
  var shownList: Feed<Item>.State? { query == term ? list : nil }
}
