import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let watch = ScreenEntry(
    "watch",
    link: Link(
      title: "Watch",
      icon:
        "M2 12c2.5-4.7 5.8-7 10-7s7.5 2.3 10 7c-2.5 4.7-5.8 7-10 7s-7.5-2.3-10-7z"
        + "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
      text: "A repository's issues as they are opened: a stream that reconnects by itself."),
    actions: "term OWNER/NAME, submit, pause, resume, retry", command: WatchCommand.self,
    example: ("watch apple/swift", "issues as they are opened"),
    page: { WatchPage(Watch(host: $0.host), isOffline: $0.isOffline) })
}

/// A watched repository in a browser.
struct WatchPage: DatedPage {
  let screen: Tracked<Watch>
  let now: @Sendable () -> Date

  var path: String { "/watch" }

  func innerEvents(for query: LiveQuery, in state: Watch.State) -> [Watch.Event] {
    let text = (query["q"] ?? "").asTyped
    let isShown = state.text == text && state.phase.failure == nil
    return isShown ? [] : [.term(text), .submit]
  }

  func innerEvent(for action: LiveAction) -> Watch.Event? {
    switch action.name {
    case "term": .term(action.value.asTyped)
    case "submit": .submit
    case "pause": .pause
    case "resume": .resume
    case "retry": .retry
    default: nil
    }
  }

  func address(of state: Tracked<Watch>.State) -> LiveAddress {
    LiveAddress(
      Self.query(state.content.displayed.text),
      isHistoryEntry: state.content.displayed.repository != nil
        || state.content.displayed.text.isEmpty)
  }

  static func query(_ text: String) -> LiveQuery {
    let text = text.trimmingCharacters(in: .whitespaces)
    return ["q": text.isEmpty ? nil : text]
  }

  func title(of state: Tracked<Watch>.State) -> String {
    let watch = state.content.displayed
    guard let name = watch.repository else { return "Watch" }
    return (watch.opened > 0 ? "(\(watch.opened.grouped)) " : "") + "\(name) · Watch"
  }
}
