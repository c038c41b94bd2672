/// What a browser shows of a state: its title, its address, and the fingerprints of its markup.
struct LiveView: Sendable {
  let title: String
  let url: String
  /// The address without the position.
  let place: String
  let isHistoryEntry: Bool
  /// What the browser keeps of the state, signed.
  let kept: String?
  /// The markup of the frame's slots.
  let slots: [String: String]
  let root: Fragment

  /// Renders a state.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of fragments.
  ///   - key: The key that signs what the browser keeps.
  static func render<Page: LivePage>(
    _ page: Page, _ state: Page.Content.State, limit: Int, key: LiveKey
  ) -> (view: LiveView, markup: String) {
    let address = page.address(of: state)
    var markup = page.render(state).text
    let root = markup.withUTF8 { MarkupReader.read(UnsafeRawBufferPointer($0), limit: limit) }
    let path = address.path ?? page.path
    let query = LiveQuery(items: address.query.items + address.position.items)
    let view = LiveView(
      title: page.title(of: state), url: path + query.text, place: path + address.query.text,
      isHistoryEntry: address.isHistoryEntry,
      kept: page.kept(of: state).flatMap { key.sign($0, for: page) },
      slots: page.slots(of: state).mapValues(\.text), root: root)
    return (view, markup)
  }

  /// Returns the view of a document that a browser has loaded from an address.
  func loaded(from url: String) -> LiveView {
    LiveView(
      title: title, url: url, place: place, isHistoryEntry: true, kept: kept, slots: slots,
      root: root)
  }
}
