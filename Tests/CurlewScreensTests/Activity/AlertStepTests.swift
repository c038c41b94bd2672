import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Alerts of a view that may be outside of a window, or in a transition.
///
/// `CURLEW_STORIES=20000` tells many stories.
@Suite(.timeLimit(.minutes(2)))
struct AlertStepTests {
  typealias Twins = AlertIdentityTests.Twins

  /// A view controller, and the alert controller that it presents.
  final class View {
    var isInWindow = true
    var isInTransition = false
    var shown: ScreenActivity.Alert?
    var isDismissing = false
    var problem: String?

    func update(_ alert: ScreenActivity.Alert?) {
      let canPresent = isInWindow && !isInTransition && !isDismissing
      switch AlertStep(alert, presented: shown?.id, canPresent: canPresent) {
      case .present(let alert):
        if !canPresent || shown != nil { problem = "presented too early" }
        shown = alert
      case .update(let message):
        if shown?.id != alert?.id || message != alert?.message { problem = "another message" }
        shown = alert
      case .dismiss:
        if shown == nil { problem = "dismissed twice" }
        if !canPresent { problem = "dismissed during a transition" }
        isDismissing = true
      case .wait where canPresent, nil where alert?.id != shown?.id:
        problem = "waits for nothing"
      case .wait, nil: break
      }
    }

    /// Ends a dismissal.
    func endDismissal() { if isDismissing { (shown, isDismissing) = (nil, false) } }
  }

  @Test func `no alert is lost, and none is presented twice`() {
    tellStories("alerts", count: 2_000) { generator in
      let probe = ScreenProbe(Twins(), checksLoads: false)
      let view = View()
      func current() -> ScreenActivity.Alert? { probe.activity.alerts.first }
      for _ in 0..<generator.pick(5...40) {
        switch generator.pick(0...7) {
        case 0...1: probe.send(.fail(generator.pick(0...1), generator.pick(["one", "two"])))
        case 2: probe.send(.retry(generator.pick(0...1)))
        case 3: view.isInWindow.toggle()
        case 4: view.isInTransition.toggle()
        case 5: view.endDismissal()
        case 6:
          // The view controller disappears with its alert.
          (view.shown, view.isDismissing) = (nil, false)
        default:
          if let shown = view.shown, !view.isDismissing {
            view.shown = nil
            if generator.chance(oneIn: 2) { probe.retry(shown.id) } else { probe.dismiss(shown.id) }
          }
        }
        view.update(current())
        if let problem = view.problem { return problem }
      }
      (view.isInWindow, view.isInTransition) = (true, false)
      for _ in 0..<3 {
        view.endDismissal()
        view.update(current())
      }
      return view.shown == current() ? nil : "\(current() as Any) is lost"
    }
  }

  @Test func `an alert waits for a window`() throws {
    let probe = ScreenProbe(Twins(), checksLoads: false)
    probe.send(.fail(0, "one"))
    let alert = try #require(probe.activity.alerts.first)
    func step(_ alert: ScreenActivity.Alert?, presented: Int? = nil, canPresent: Bool) -> AlertStep?
    {
      AlertStep(alert, presented: presented, canPresent: canPresent)
    }
    #expect(step(alert, canPresent: false) == .wait)
    #expect(step(alert, canPresent: true) == .present(alert))
    #expect(step(alert, presented: alert.id, canPresent: false) == .update(message: alert.message))
    #expect(step(nil, presented: alert.id, canPresent: false) == .wait)
    #expect(step(nil, presented: alert.id, canPresent: true) == .dismiss)
    #expect(step(nil, canPresent: true) == nil)
  }
}
