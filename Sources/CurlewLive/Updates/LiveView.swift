/// What a browser shows of a state: its title, its address, and the fingerprints of its markup.
struct LiveView: Sendable {
  let title: String
  private(set) var url: String
  /// The address without the position.
  let place: String
  private(set) var isHistoryEntry: Bool
  /// What the browser keeps of the state, signed.
  let kept: String?
  /// The markup of the frame's slots.
  let slots: [String: String]
  /// What its markup is compared by.
  let markup: Markup

  /// Returns the view of a document that a browser has loaded from an address.
  func loaded(from url: String) -> LiveView {
    var view = self
    (view.url, view.isHistoryEntry) = (url, true)
    return view
  }
}

extension LiveRoutes {
  /// Renders a state.
  func view(of state: Page.Content.State) -> (view: LiveView, markup: Markup) {
    let address = page.address(of: state)
    let markup = Markup(page.render(state), limit: limits.fragments)
    let path = address.path ?? page.path
    let query = LiveQuery(items: address.query.items + address.position.items)
    let view = LiveView(
      title: page.title(of: state), url: path + query.text, place: path + address.query.text,
      isHistoryEntry: address.isHistoryEntry,
      kept: page.savedState(of: state).flatMap { key.sign($0, for: page) },
      slots: page.slots(of: state).mapValues(\.text), markup: markup.shown)
    return (view, markup)
  }
}
