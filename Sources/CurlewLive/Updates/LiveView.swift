import CurlewScreens
import Synchronization

/// A browser's view of a state: the title, the address, and the fingerprints of the markup.
struct LiveView: Sendable {
  let title: String
  private(set) var url: String
  /// The address without the position.
  let addressWithoutPosition: String
  private(set) var isHistoryEntry: Bool
  /// The signed state for the browser to store.
  let kept: String?
  /// The markup of the frame's slots.
  let slots: [String: String]
  /// The fragments and pieces by which the markup is compared.
  let markup: Markup
  /// The serial number of a view that all browsers share; 0 for other views.
  private(set) var number = 0

  /// Returns the view of a document that a browser has loaded from an address.
  func loaded(from url: String) -> LiveView {
    var view = self
    if view.url != url || !view.isHistoryEntry { view.number = 0 }
    (view.url, view.isHistoryEntry) = (url, true)
    return view
  }
}

/// A screen's state and its activity at one moment.
struct Snapshot<State: Equatable & Sendable>: Equatable, Sendable {
  let state: State
  let activity: ScreenActivity

  init(_ runner: Runner<some Screen<State, some Any>>) {
    (state, _, activity) = runner.snapshot
  }
}

/// The rendering of the newest state that all browsers share.
struct SharedView<State: Equatable & Sendable> {
  let snapshot: Snapshot<State>
  let view: LiveView
  let markup: Markup
  /// The complete markup; `nil` until a document needs it.
  var text: String?
  /// The updates from other views to this view, keyed by the other views' numbers.
  var updates: [Int: LiveUpdate] = [:]
}

extension LiveRoutes {
  /// Renders a state for the visitor with an id, or returns the stored rendering of the state that all browsers share.
  func view(
    of snapshot: Snapshot<Page.Content.State>, in language: Int, for visitor: String
  ) -> (view: LiveView, markup: Markup) {
    guard page.isShared else { return show(in: language) { render(snapshot, for: visitor) } }
    return sharedViews.withLock { shared in
      if let shared = shared[language], shared.snapshot == snapshot {
        return (shared.view, shared.markup)
      }
      let number = (shared[language]?.view.number ?? 0) + 1
      let (view, markup) = show(in: language) { render(snapshot, for: "", number: number) }
      shared[language] = SharedView(snapshot: snapshot, view: view, markup: markup)
      return (view, markup)
    }
  }

  /// Returns a view's complete markup.
  func text(of view: LiveView, _ markup: Markup, in language: Int) -> String {
    guard view.number > 0 else { return markup.text }
    return sharedViews.withLock { shared in
      guard shared[language]?.view.number == view.number else { return markup.text }
      let text = shared[language]?.text ?? markup.text
      shared[language]?.text = text
      return text
    }
  }

  /// Returns the update from a browser's view to another view.
  func update(
    from old: LiveView?, to view: LiveView, _ markup: Markup, in language: Int
  ) -> LiveUpdate {
    guard let old, old.number > 0, view.number > 0 else {
      return LiveUpdate(from: old, to: view, markup: markup)
    }
    return sharedViews.withLock { shared in
      let isNewest = shared[language]?.view.number == view.number
      if isNewest, let update = shared[language]?.updates[old.number] { return update }
      let update = LiveUpdate(from: old, to: view, markup: markup)
      if isNewest { shared[language]?.updates[old.number] = update }
      return update
    }
  }

  private func render(
    _ snapshot: Snapshot<Page.Content.State>, for visitor: String, number: Int = 0
  ) -> (view: LiveView, markup: Markup) {
    let state = snapshot.state
    let address = page.address(of: state)
    let markup = Markup(page.render(state, snapshot.activity), limit: limits.fragments)
    let path = address.path ?? page.path
    let query = LiveQuery(items: address.query.items + address.position.items)
    let view = LiveView(
      title: page.title(of: state), url: path + query.text,
      addressWithoutPosition: path + address.query.text,
      isHistoryEntry: address.isHistoryEntry,
      kept: page.savedState(of: state).flatMap {
        key.sign($0, for: page, by: visitor, time: limits.savedTime)
      },
      slots: page.slots(of: state).mapValues(\.text), markup: markup.shown, number: number)
    return (view, markup)
  }
}
