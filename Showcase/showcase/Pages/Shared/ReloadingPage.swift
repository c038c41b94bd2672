import CurlewLive
import CurlewScreens

/// A state that tells what goes on behind its screen.
protocol ActiveState {
  var activity: Activity { get }
}

extension ActivityTracking.State: ActiveState {}

extension LivePage where Content.State: ActiveState {
  /// Says when a page goes on whose server takes no more requests for now.
  func reloadDelay(of state: Content.State) -> Duration? {
    state.activity.alerts.compactMap(\.secondsLeft).min().map { .seconds($0) }
  }
}
