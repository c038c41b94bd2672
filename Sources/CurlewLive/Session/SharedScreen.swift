import CurlewScreens
import Synchronization

/// The running screen that all sessions of a page share; its work is suspended while no session is
/// in use.
final class SharedScreen<Content: Screen>: Sendable {
  let runner: Runner<Content>
  /// The timeline that the inspector shows; `nil` without an inspector.
  let timeline: Timeline?
  private let navigator: LiveNavigator
  /// The number of sessions in use.
  private let users = Mutex(0)

  init(
    _ screen: Content, activity: ScreenActivity.Options, clock: any Clock<Duration>,
    writes: PendingWork, timeline: Timeline?, errors: ScreenErrorPolicy
  ) {
    self.timeline = timeline
    let navigator = LiveNavigator()
    self.navigator = navigator
    runner = Runner(
      screen, clock: clock, navigator: nil, writes: writes, observer: timeline?.observer(),
      listener: timeline, activity: activity, onChange: { navigator.wake() }, errors: errors)
  }

  deinit { runner.stop() }

  /// Sets the closure that is called when the state has changed.
  func onChange(_ action: @escaping @Sendable () -> Void) { navigator.onWake(action) }

  /// Counts a session that starts or stops being in use.
  func setInUse(_ isInUse: Bool) {
    users.withLock { users in
      users += isInUse ? 1 : -1
      if isInUse, users == 1 { runner.resume() } else if users == 0 { runner.suspend() }
    }
  }
}
