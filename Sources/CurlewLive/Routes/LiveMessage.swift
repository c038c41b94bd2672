import Foundation
package import HTTPTypes

/// A message from a browser: one action in one session.
package struct LiveMessage: Decodable {
  /// The message's number within its tab.
  ///
  /// Each message is applied once; updates acknowledge the newest applied number.
  let number: Int
  let name: String
  let value: String
  /// The names and values of the submitted form's fields.
  var fields: [[String]]?

  /// The message as an action.
  package var action: LiveAction {
    let items = (fields ?? []).compactMap { $0.count == 2 ? (name: $0[0], value: $0[1]) : nil }
    return LiveAction(name: name, value: value, fields: LiveQuery(items: items))
  }

  /// The name of the action whose value is an address to navigate to, for example after the user
  /// has pressed the back button.
  static let navigate = "live:navigate"

  /// The name of a poll for changes, from a tab that receives nothing on its stream.
  static let wait = "live:wait"
}

extension LiveUpdate {
  /// The encoded server-sent event; JSON contains no raw line breaks, so one `data` line is enough.
  var event: String { "event: state\ndata: \(json)\n\n" }
}

extension HTTPFields {
  /// The name of the tab that sent a request, of 16 to 64 bytes; `nil` if it is missing or has
  /// another length.
  var liveTab: String? {
    self[.liveTab].flatMap { (16...64).contains($0.utf8.count) ? $0 : nil }
  }
}

extension HTTPField.Name {
  /// Marks a request for a document by a page's script, which also displays later updates.
  package static let liveVisit = HTTPField.Name("Live-Visit") ?? .from
  /// The name that a tab has chosen for itself; a session belongs to one tab.
  package static let liveTab = HTTPField.Name("Live-Tab") ?? .from
  /// The session of a request.
  package static let liveSession = HTTPField.Name("Live-Session") ?? .from
  /// The version of a tab's document.
  package static let liveBuild = HTTPField.Name("Live-Build") ?? .from
  /// The signed state that a tab has stored of its session.
  package static let liveKept = HTTPField.Name("Live-Kept") ?? .from
  /// The number that a tab has given to its newest stream.
  package static let liveStream = HTTPField.Name("Live-Stream") ?? .from
  /// Marks that the tab has navigated to the address in the last response.
  package static let liveNavigated = HTTPField.Name("Live-Navigated") ?? .from
  /// The version of the markup that a tab shows.
  package static let liveVersion = HTTPField.Name("Live-Version") ?? .from
}
