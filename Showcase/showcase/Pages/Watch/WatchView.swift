import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

/// The texts and switches of the template of a watched repository.
struct WatchView: PageView {
  struct Row {
    let issue: IssuesView.Row
    /// Whether it was opened while one watched.
    let isNew: Bool
  }

  /// A link that pauses what comes, or goes on with it.
  struct Switch {
    let action: String
    let title: String
  }

  static let template = Template(PackageResources.watch_mustache)

  let text: String
  let name: String
  let hint: String
  let address: String
  let status: String
  let isIdle: Bool
  let isLoading: Bool
  let isMissing: Bool
  /// Nothing is there yet, and that takes its time.
  let isSkeleton: Bool
  let hasRows: Bool
  /// The rows are those of another repository.
  let isOld: Bool
  let activity: ActivityView
  let leftOut: LeftOut?
  let control: Switch?
  let rows: [Row]
  let examples = ["apple/swift", "moya/moya", "apple/cups"].map {
    IssuesView.Example(name: $0, query: WatchPage.query($0).text)
  }

  init(_ tracked: Tracked<Watch>.State, path: String, now: Date) {
    let watch = tracked.content.shown
    text = watch.text
    name = watch.repository.map { "\($0)" } ?? ""
    hint = watch.text.isEmpty ? "Type one, or begin with one of these." : IssueTracker.hint
    address = path + WatchPage.query(name).text
    status = watch.status
    isIdle = watch.phase == .idle
    isLoading = watch.phase == .looking
    isMissing = watch.phase == .missing
    hasRows = !watch.issues.isEmpty && !isMissing
    isSkeleton = isLoading && !hasRows && tracked.activity.isVisible
    isOld = hasRows && !watch.isLoaded
    activity = ActivityView(
      tracked.activity, failure: watch.phase.failure, isEmpty: !hasRows, retry: address)
    leftOut = LeftOut(watch.omissions)
    control =
      switch watch.phase {
      case .following: Switch(action: "pause", title: "Pause")
      case .paused, .ended: Switch(action: "resume", title: "Go on")
      case .idle, .looking, .missing, .failed: nil
      }
    rows = watch.issues.enumerated().map { index, issue in
      Row(
        issue: IssuesView.Row(issue, path: "/issues", now: now, isPicked: false, isRead: false),
        isNew: index < watch.opened && watch.isLoaded)
    }
  }
}

extension Watch.State {
  /// What a screen reader announces.
  var status: String {
    let name = repository.map { "\($0)" } ?? ""
    switch phase {
    case .idle: return text.isEmpty ? "" : IssueTracker.hint
    case .looking: return "Looking for \(name)…"
    case .following: return opened == 0 ? "Watching \(name): nothing new yet." : news
    case .paused: return "Paused. \(news)"
    case .ended: return "\(name) has no more to tell. \(news)"
    case .missing: return "There is no repository \(name)."
    case .failed: return "\(name) can't be watched."
    }
  }

  /// The news in a sentence: `3 new issues in apple/swift, the newest is #12.`.
  private var news: String {
    let count = opened == 1 ? "1 new issue" : "\(opened.grouped) new issues"
    let newest = opened > 0 ? issues.first.map { ", the newest is #\($0.number)" } : nil
    return "\(count) in \(repository.map { "\($0)" } ?? "")\(newest ?? "")."
  }
}
