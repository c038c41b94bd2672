package import Application
package import CurlewLive
package import CurlewScreens
import Domain
package import Foundation

/// The public board of the newest issues: all browsers share its screen, and so one stream.
package struct BoardPage: DatedPage {
  package let screen: Board
  package let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  package init(
    screen: Board, activity: ScreenActivity.Options, now: @escaping @Sendable () -> Date
  ) {
    (self.screen, self.activity, self.now) = (screen, activity, now)
  }

  package var path: String { "/watch/board" }
  package var isShared: Bool { true }

  package func events(for query: LiveQuery, in state: Board.State) -> [Board.Event] { [] }

  package func event(for action: LiveAction) -> Board.Event? {
    action.name == "retry" ? .retry : nil
  }

  package func address(of state: Board.State) -> LiveAddress { LiveAddress() }

  package func title(of state: Board.State) -> String { "Newest issues · Watch" }

  package func reloadDelay(of state: Board.State) -> Duration? {
    state.isLoading ? .seconds(2) : nil
  }

  package func view(of state: Board.State, _ activity: ScreenActivity) -> BoardView {
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

package struct BoardView: PageView {
  package let status: String
  package let leftOut: LeftOut?
  let isLoading, hasRows: Bool
  let rows: LivePiece
  let activity: ActivityView

  package static let template = HTMLTemplate<Self>(PackageResources.board_mustache)
  package static let names: TemplateNames<Self> = [
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
