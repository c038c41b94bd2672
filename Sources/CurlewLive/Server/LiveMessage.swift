import Foundation

/// What a browser sends: one action in one session.
struct LiveMessage: Decodable {
  let session: String
  /// Counts the messages of a tab, so that the browser knows which states have seen them.
  let number: Int
  let name: String
  let value: String

  /// The name under which the browser sends a whole address, as the back button asks for it.
  static let navigate = "live:navigate"
}

/// A state on its way to a browser, as a server-sent event (WHATWG HTML section 9.2).
struct LiveUpdate: Encodable {
  let html: String
  let title: String
  let url: String
  let isPlace: Bool
  let acknowledged: Int

  init<Page: LivePage>(_ page: Page, _ state: Page.Content.State, acknowledged: Int) {
    let address = page.address(of: state)
    html = page.render(state).text
    title = page.title(of: state)
    url = (address.path ?? page.path) + address.query.text
    isPlace = address.isPlace
    self.acknowledged = acknowledged
  }

  /// The event in the stream; JSON has no raw line breaks, so it is one `data` line.
  var event: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    return "event: state\ndata: \(json ?? "{}")\n\n"
  }
}

/// A place to go to, on its way to a browser.
struct LiveNavigation {
  let address: String

  /// The event in the stream; an address has no line breaks.
  var event: String { "event: go\ndata: \(address)\n\n" }
}
