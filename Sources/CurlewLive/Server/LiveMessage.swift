import Foundation

/// A message from a browser: one action in one session.
struct LiveMessage: Decodable {
  let session: String
  /// The message's number within its tab; the states sent back acknowledge the newest one applied.
  let number: Int
  let name: String
  let value: String

  /// The name of the action whose value is an address to navigate to, for example after the user
  /// has pressed the back button.
  static let navigate = "live:navigate"
}

/// A state for a browser, sent as a server-sent event (WHATWG HTML section 9.2).
struct LiveUpdate: Encodable {
  let html: String
  let title: String
  let url: String
  let isHistoryEntry: Bool
  let acknowledged: Int

  init<Page: LivePage>(_ page: Page, _ state: Page.Content.State, acknowledged: Int) {
    let address = page.address(of: state)
    html = page.render(state).text
    title = page.title(of: state)
    url = (address.path ?? page.path) + address.query.text
    isHistoryEntry = address.isHistoryEntry
    self.acknowledged = acknowledged
  }

  /// The encoded server-sent event; JSON contains no raw line breaks, so one `data` line is enough.
  var event: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    return "event: state\ndata: \(json ?? "{}")\n\n"
  }
}

/// An address for a browser to navigate to, sent as a server-sent event.
struct LiveNavigation {
  let address: String

  /// The encoded server-sent event; an address contains no line breaks.
  var event: String { "event: go\ndata: \(address)\n\n" }
}
