import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// Alerts of a view that may be outside of a window, or present something else.
///
/// `CURLEW_STORIES=20000` tells many stories.
@Suite(.timeLimit(.minutes(2)))
struct AlertPresenterTests {
  typealias Twins = AlertIdentityTests.Twins

  /// A view controller, and the alert controller that it presents.
  final class View {
    var presenter = AlertPresenter()
    var isInWindow = true
    var hasSheet = false
    var shown: ScreenActivity.Alert?
    var isDismissing = false
    var problem: String?

    func update(_ alert: ScreenActivity.Alert?) {
      let canPresent = isInWindow && !hasSheet && shown == nil
      switch presenter.next(alert, isPresented: shown != nil, canPresent: canPresent) {
      case .present(let alert):
        if !canPresent { problem = "presented too early" }
        shown = alert
      case .update(let alert):
        if shown?.id != alert.id { problem = "another alert is updated" }
        shown = alert
      case .dismiss:
        if shown == nil || isDismissing { problem = "dismissed twice" }
        isDismissing = true
      case .wait where canPresent, nil where alert?.id != shown?.id && canPresent:
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
        case 4: view.hasSheet.toggle()
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
      (view.isInWindow, view.hasSheet) = (true, false)
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
    var presenter = AlertPresenter()
    #expect(presenter.next(alert, isPresented: false, canPresent: false) == .wait)
    #expect(presenter.next(alert, isPresented: false, canPresent: true) == .present(alert))
    #expect(presenter.next(alert, isPresented: true, canPresent: false) == nil)
    #expect(presenter.next(nil, isPresented: true, canPresent: false) == .dismiss)
    #expect(presenter.next(alert, isPresented: true, canPresent: false) == .wait)
  }
}
