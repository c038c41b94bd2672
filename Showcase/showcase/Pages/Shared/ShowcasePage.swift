import Application
package import CurlewLive
package import CurlewScreens
package import Foundation

/// A page of the showcase: a screen rendered by a template.
///
/// A page maps addresses and actions to the events of its screen, and a state to the values for the
/// template.
package protocol ShowcasePage: LivePage where Visitor == Anyone {
  /// The values for the template.
  associatedtype View: PageView

  /// Returns the values for a state.
  func view(of state: Content.State, _ activity: ScreenActivity) -> View
  /// Returns whether a user, or a visitor who has not signed in, may do what an action asks for; true by default.
  func canAct(_ action: LiveAction, by user: User?) -> Bool
  /// Returns the fields, the list and the shortcuts for a state in a terminal; empty by default.
  func terminalContent(of state: Content.State, _ view: View) -> TerminalContent<Content.Event>
}

/// A stream of whether the servers are unreachable: the current value, and each change.
package typealias OfflineFlags = @Sendable () -> AsyncStream<Bool>

/// Returns an empty stream, for sources that need no network.
package let noOfflineFlags: OfflineFlags = { AsyncStream { $0.finish() } }

/// A page that shows the age of its content, and refreshes itself when the network is available
/// again.
package protocol DatedPage: ShowcasePage {
  init(
    screen: Content, activity: ScreenActivity.Options, now: @escaping @Sendable () -> Date)
}

extension DatedPage {
  package init(
    _ screen: Content, isOffline: @escaping OfflineFlags = noOfflineFlags,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(screen: screen, activity: .init(isOffline: isOffline), now: now)
  }
}

/// The values for a page's template.
package protocol PageView: TemplateView {
  /// The status text, which a screen reader announces and a terminal prints.
  var status: String { get }
  /// The skipped entries of the list.
  var leftOut: LeftOut? { get }
  /// The age of the content; `nil` if it is always current.
  var age: AgeView? { get }
  /// The lines about the user's pending changes, for a terminal.
  var pendingLines: [String] { get }
}

/// A page with a paginated list.
protocol ListPageView: PageView {
  var list: ListView { get }
}

extension ListPageView {
  package var leftOut: LeftOut? { list.leftOut }
  package var age: AgeView? { list.age }
}

/// A page with the details of an item.
protocol DetailPageView: PageView {
  var detail: DetailView { get }
}

extension DetailPageView {
  package var age: AgeView? { detail.age }
}

extension PageView {
  package var leftOut: LeftOut? { nil }
  package var age: AgeView? { nil }
  package var pendingLines: [String] { [] }

  /// The lines for a terminal.
  package var lines: [String] {
    [status, leftOut?.summary, age?.text].compactMap { $0 }.filter { !$0.isEmpty } + pendingLines
  }
}

extension ShowcasePage {
  package func canAct(_ action: LiveAction, by user: User?) -> Bool { true }

  package func render(_ state: Content.State, _ activity: ScreenActivity) -> HTML {
    view(of: state, activity).html
  }

  /// Returns the lines for a terminal.
  package func lines(of state: Content.State, _ activity: ScreenActivity) -> [String] {
    let view = view(of: state, activity)
    let refusals = activity.alerts.filter(\.isChange).map(\.failure.message)
    return view.lines + stars(of: state) + refusals.filter { !$0.isEmpty }
  }

  func stars(of state: Content.State) -> [String] {
    slots(of: state)[PageLayout.starred].map { $0.text.isEmpty ? [] : ["\($0.text) starred"] } ?? []
  }

  package func terminalContent(
    of state: Content.State, _ view: View
  ) -> TerminalContent<Content.Event> {
    TerminalContent()
  }
}

extension Feed.Event where Item.ID: LosslessStringConvertible {
  /// Creates an event from an action on a list; returns `nil` for other actions.
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
  /// Creates an event from an action on a search field; returns `nil` for other actions.
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
  /// Returns the events that change the search's state to match the text in an address.
  func events(for text: String?) -> [Search.Event] {
    let text = (text ?? "").asTyped()
    let isShown = term == text && results.failure == nil
    return [.term(text)] + (isShown ? [] : [.submit])
  }

  /// Whether the text was searched; a partly typed text gets no history entry.
  var isSettled: Bool { query.isEmpty || query == term }

  /// The address for the text in the field.
  var address: LiveAddress {
    LiveAddress(["q": query.isEmpty ? nil : query], isHistoryEntry: isSettled)
  }
}

extension PagedSearch.Event where Item.ID: LosslessStringConvertible {
  /// Creates an event from an action on a list with a search field; returns `nil` for other
  /// actions.
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
  /// Returns the events that change the search's state to match the text and the pages in an
  /// address.
  func events(for text: String?, in query: LiveQuery) -> [PagedSearch.Event] {
    let text = (text ?? "").asTyped()
    let isShown = term == text && list.start == query.page && list.failure == nil
    return [.term(text)] + (isShown ? [] : [.submit(from: query.page, pageCount: query.pages)])
  }

  /// Whether the text was searched; a partly typed text gets no history entry.
  var isSettled: Bool { query.isEmpty || query == term }

  /// The list for the text in the field; `nil` while the user types another text.
  var shownList: Feed<Item>.State? { query == term ? list : nil }
}
