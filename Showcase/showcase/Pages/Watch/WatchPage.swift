import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let watch = ScreenEntry(
    name: "watch",
    link: Link(
      title: "Watch",
      icon:
        "M2 12c2.5-4.7 5.8-7 10-7s7.5 2.3 10 7c-2.5 4.7-5.8 7-10 7s-7.5-2.3-10-7z"
        + "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
      miniature: .rows(
        ["Parser stops early", "Emoji counts as seven", "Checker rounds wrongly"], isNew: true),
      text: "A repository's issues as they are opened: a stream that reconnects by itself."),
    actions: "term OWNER/NAME, submit, pause, resume, retry", command: WatchCommand.self,
    example: ("watch apple/swift", "issues as they are opened"),
    page: { WatchPage(Watch(host: $0.host), isOffline: $0.isOffline) })
}

/// The page of a watched repository.
struct WatchPage: DatedPage {
  let screen: Watch
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  var path: String { "/watch" }

  func events(for query: LiveQuery, in state: Watch.State) -> [Watch.Event] {
    let text = (query["q"] ?? "").asTyped()
    let isShown = state.text == text && state.phase.failure == nil
    return isShown ? [] : [.term(text), .submit]
  }

  func event(for action: LiveAction) -> Watch.Event? {
    switch action.name {
    case "term": .term(action.value.asTyped())
    case "submit": .submit
    case "pause": .pause
    case "resume": .resume
    case "retry": .retry
    default: nil
    }
  }

  func address(of state: Watch.State) -> LiveAddress {
    LiveAddress(
      Self.query(state.text),
      isHistoryEntry: state.repository != nil
        || state.text.isEmpty)
  }

  static func query(_ text: String) -> LiveQuery {
    let text = text.trimmingCharacters(in: .whitespaces)
    return ["q": text.isEmpty ? nil : text]
  }

  func title(of state: Watch.State) -> String {
    let watch = state
    guard let name = watch.repository else { return "Watch" }
    return (watch.opened > 0 ? "(\(watch.opened.grouped)) " : "") + "\(name) · Watch"
  }

  func view(of state: Watch.State, _ activity: ScreenActivity) -> WatchView {
    let (watch, now) = (state, now())
    let name = watch.repository.map { "\($0)" } ?? ""
    let address = path + Self.query(name).text
    let (isLoading, isMissing) = (watch.phase == .lookingUp, watch.phase == .missing)
    let hasRows = !watch.issues.isEmpty && !isMissing
    // The issues opened while the repository is watched.
    let new = watch.isLoaded ? Set(watch.issues.prefix(watch.opened).map(\.number)) : []
    return WatchView(
      status: watch.status, leftOut: LeftOut(watch.skippedEntries), text: watch.text, name: name,
      address: address,
      hint: watch.text.isEmpty ? "Type a name, or try one of these." : IssueTracker.hint,
      isIdle: watch.phase == .idle, isLoading: isLoading, isMissing: isMissing,
      isSkeleton: isLoading && !hasRows && !activity.loading.isEmpty, hasRows: hasRows,
      isOld: hasRows && !watch.isLoaded, control: WatchView.Control(watch.phase),
      rows: LivePiece(
        "rows", rows: watch.issues, key: \.key, also: { new.contains($0.number) }
      ) { WatchRowView($0, isNew: $1, now: now).html },
      examples: IssuesPage.examples(Self.query),
      activity: ActivityView(
        activity, failure: watch.phase.failure, isEmpty: !hasRows, retry: address))
  }
}

struct WatchView: PageView {
  let status: String
  let leftOut: LeftOut?
  let text, name, address, hint: String
  let isIdle, isLoading, isMissing: Bool
  /// Whether a placeholder is shown, because the first load takes long.
  let isSkeleton: Bool
  let hasRows: Bool
  /// Whether the rows belong to another repository.
  let isOld: Bool
  let control: Control?
  let rows: LivePiece
  let examples: [ExampleView]
  let activity: ActivityView

  static let template = HTMLTemplate<Self>(PackageResources.watch_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "leftOut": \.leftOut, "text": \.text, "name": \.name,
    "address": \.address, "hint": \.hint, "isIdle": \.isIdle, "isLoading": \.isLoading,
    "isMissing": \.isMissing, "isSkeleton": \.isSkeleton, "hasRows": \.hasRows, "isOld": \.isOld,
    "control": \.control, "rows": \.rows, "examples": \.examples, "activity": \.activity,
  ]

  /// A link that pauses or resumes the stream.
  struct Control: TemplateValues {
    let action, title: String

    static let names: TemplateNames<Self> = ["action": \.action, "title": \.title]

    init?(_ phase: Watch.Phase) {
      switch phase {
      case .following: (action, title) = ("pause", "Pause")
      case .paused, .ended: (action, title) = ("resume", "Resume")
      case .idle, .lookingUp, .missing, .failed: return nil
      }
    }
  }
}

struct WatchRowView: TemplateView {
  private let key, href: String
  private let row: IssueRow
  private let isNew: Bool

  static let template = HTMLTemplate<Self>(PackageResources.watchrow_mustache)
  static let names: TemplateNames<Self> = [
    "key": \.key, "href": \.href, "row": \.row, "isNew": \.isNew,
  ]

  init(_ issue: Issue, isNew: Bool = false, isNamed: Bool = false, now: Date) {
    (key, self.isNew, row) = (issue.key, isNew, IssueRow(issue, isNamed: isNamed, now: now))
    href = IssuesRoute(issue.repository, picked: issue.number).address
  }
}

extension Watch.State {
  /// The text that a screen reader announces.
  var status: String {
    let name = repository.map { "\($0)" } ?? ""
    switch phase {
    case .idle: return text.isEmpty ? "" : IssueTracker.hint
    case .lookingUp: return "Looking for \(name)…"
    case .following: return opened == 0 ? "Watching \(name): nothing new yet." : news
    case .paused: return "Paused. \(news)"
    case .ended: return "\(name) sends no more events. \(news)"
    case .missing: return "There is no repository \(name)."
    case .failed: return "\(name) can't be watched."
    }
  }

  /// The news in a sentence, such as `3 new issues in apple/swift, the newest is #12.`.
  private var news: String {
    let count = opened == 1 ? "1 new issue" : "\(opened.grouped) new issues"
    let newest = opened > 0 ? issues.first.map { ", the newest is #\($0.number)" } : nil
    return "\(count) in \(repository.map { "\($0)" } ?? "")\(newest ?? "")."
  }
}
