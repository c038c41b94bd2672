import CurlewTesting
import Foundation

/// What the script of a page stores, except for the document; its comments describe it (`live.js`).
final class LiveState {
  /// An action that waits for its response.
  struct Action: Encodable {
    var number: Int
    let name, value: String
    var fields: [[String]]?
  }

  /// The element that the script updates.
  let root: PageElement
  /// The page's path.
  let path: String
  let tab = UUID().uuidString
  var session: String
  var isKnown: Bool
  /// Whether the session is new, and no state of it is shown.
  var isRenewed = false
  /// Whether links and forms work as without JavaScript, because no session can be started.
  var isPlain = false
  var kept: String?
  /// The time before which the document is not loaded again after a refusal.
  let refusalReloadTime: TestClock.Instant
  /// Whether a request was refused, so that the document is loaded again.
  var isRefused = false
  /// The version of the displayed markup; 0 for none.
  var version: Int
  var stream: Exchange?
  /// Whether the stream has delivered an event.
  var hasDelivered = false
  var streams = 0
  var queue: [Action] = []
  var lastNumber = 0
  var acknowledged = 0
  /// The numbers of the newest action of the user, and of the back button.
  var acted = 0
  var navigated = 0
  /// The number of consecutive actions that the session's server did not know.
  var failedActions = 0
  /// The actions of fields that the user has changed, and the refused actions.
  var edited: Set<String> = []
  var refused: Set<String> = []
  var isTyping = false
  /// Whether the back button returns to the current address, and when and by what it was set.
  var isEntry = true
  var since: TestClock.Instant?
  var wasTyped = false

  init(_ root: PageElement, at now: TestClock.Instant) {
    (self.root, refusalReloadTime) = (root, now.advanced(by: .seconds(10)))
    path = root.attributes["data-live"] ?? ""
    session = root.attributes["data-live-session"] ?? ""
    isKnown = !session.isEmpty
    kept = root.attributes["data-live-state"]
    version = root.attributes["data-live-version"].flatMap { Int($0) } ?? 0
  }

  /// The path before those of the page's stream and events.
  var base: String { path == "/" ? "" : path }

  var build: String { root.attributes["data-live-build"] ?? "" }

  /// The hash of the document's visitor; empty for a visitor who is not known.
  var visitor: String { String(build.drop { $0 != "." }) }

  /// Whether a path is that of a live page.
  func isLive(_ path: String) -> Bool {
    let pattern = try? Regex(root.attributes["data-live-pages"] ?? "^$")
    return pattern.flatMap { try? $0.firstMatch(in: path) } != nil
  }

  /// Adds an action after those that wait, or in place of the newest one if that is older text of the same field.
  func add(_ name: String, _ value: String, fields: [[String]]? = nil, replaces: Bool) {
    if replaces, queue.last?.name == name { queue.removeLast() }
    lastNumber += 1
    queue.append(Action(number: lastNumber, name: name, value: value, fields: fields))
  }

  /// Records a navigation by the back button.
  func moved() {
    (navigated, isEntry, since) = (lastNumber + 1, true, nil)
  }

  /// Switches to a new session, unless the stream's session is the page's own.
  func beginSession(_ name: String, isNew: Bool) {
    guard session != name || isNew || !isKnown else { return }
    (session, isKnown) = (name, true)
    version = 0
    acknowledged = queue.first.map { $0.number - 1 } ?? lastNumber
    isRenewed = true
  }
}
