import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

/// The public board of the newest issues: all browsers share its screen, and so one stream.
struct BoardPage: DatedPage {
  let screen: Board
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  var path: String { "/watch/board" }
  var isShared: Bool { true }

  func events(for query: LiveQuery, in state: Board.State) -> [Board.Event] { [] }

  func event(for action: LiveAction) -> Board.Event? {
    action.name == "retry" ? .retry : nil
  }

  func address(of state: Board.State) -> LiveAddress { LiveAddress() }

  func title(of state: Board.State) -> String { "Newest issues · Watch" }

  func reloadDelay(of state: Board.State) -> Duration? {
    state.isLoading ? .seconds(2) : nil
  }

  func view(of state: Board.State, _ activity: ScreenActivity) -> BoardView {
    let (now, hasRows) = (now(), !state.issues.isEmpty)
    return BoardView(
      status: state.status,
      leftOut: LeftOut(state.isDamaged ? ["An issue can’t be shown."] : []),
      isLoading: state.isLoading, hasRows: hasRows,
      rows: LivePiece("rows", rows: state.issues, key: \.key) {
        WatchRowView($0, isNamed: true, now: now).html
      },
      activity: ActivityView(
        activity, failure: state.failure, isEmpty: !hasRows, retry: path))
  }
}

struct BoardView: PageView {
  let status: String
  let leftOut: LeftOut?
  let isLoading, hasRows: Bool
  let rows: LivePiece
  let activity: ActivityView

  static let template = HTMLTemplate<Self>(PackageResources.board_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "leftOut": \.leftOut, "isLoading": \.isLoading, "hasRows": \.hasRows,
    "rows": \.rows, "activity": \.activity,
  ]
}

extension Board.State {
  /// The text that a screen reader announces.
  fileprivate var status: String {
    if failure != nil { return "The newest issues can't be received." }
    guard let newest = issues.first else { return "Waiting for issues…" }
    return "The newest issue is \(newest.repository)#\(newest.number)."
  }
}
