import Application
import CurlewLive
import CurlewScreens

/// What goes on behind a page: the bar at its top, and what went wrong.
struct ActivityView: TemplateValues {
  /// Whether something has loaded for long enough to be worth a word.
  let isBusy: Bool
  let alerts: [AlertView]
  /// Whether an alert says what went wrong, so that the status does not announce it a second time.
  var isTold: Bool { alerts.contains { !$0.isChange } }
  /// Asks again where an error was dismissed and nothing is there to show.
  let reload: String?

  static let names: TemplateNames<Self> = [
    "isBusy": \.isBusy, "alerts": \.alerts, "reload": \.reload, "isTold": \.isTold,
  ]

  /// - Parameters:
  ///   - activity: What the screen does.
  ///   - failure: Why it has not what it was asked for.
  ///   - isEmpty: Whether there is nothing to show.
  ///   - retry: The address that asks again, without JavaScript.
  ///   - failed: Says what failed, if a load did.
  init(
    _ activity: ScreenActivity, failure: LoadFailure?, isEmpty: Bool, retry: String,
    failed: String? = nil
  ) {
    isBusy = activity.isVisible
    alerts = activity.alerts.map { AlertView($0, retry: retry, isAlone: isEmpty, failed: failed) }
    reload = failure != nil && isEmpty && alerts.allSatisfy(\.isChange) ? retry : nil
  }
}

/// An error that is not dismissed yet.
struct AlertView: TemplateValues {
  private let alert: ScreenActivity.Alert
  private let retry: String
  /// Whether there is nothing else on the page.
  private let isAlone: Bool
  private var name: String { "\(alert.name)" }
  /// Whether the user wanted to change something, and not to see it.
  let isChange: Bool
  private var id: String { isChange ? "refusal" : "failure" }
  private var message: String { alert.failure.message }
  /// Whether it is the server that wants to be left alone for a while.
  private let isOnHold: Bool
  private let title: String
  /// How long that was when it began, for those who hear the page: once is enough.
  private var wait: String? {
    alert.secondsLeft == nil ? nil : alert.failure.retryAfter?.spoken
  }
  /// How long it still is: `42 s`.
  private var timeLeft: String? { alert.secondsLeft?.timeLeft }

  private static let failed = "That did not work"

  /// All of it in a line, for a terminal.
  var text: String {
    "\(title): \(message)" + (timeLeft.map { " Going on in \($0)." } ?? "")
  }

  static let names: TemplateNames<Self> = [
    "name": \.name, "id": \.id, "isChange": \.isChange, "title": \.title, "message": \.message,
    "retry": \.retry,
    "isAlone": \.isAlone, "isOnHold": \.isOnHold, "wait": \.wait, "timeLeft": \.timeLeft,
  ]

  init(_ alert: ScreenActivity.Alert, retry: String, isAlone: Bool, failed: String? = nil) {
    (self.alert, self.retry) = (alert, retry)
    isChange = alert.name == .change
    isOnHold = alert.failure.retryAfter != nil
    title = isOnHold ? "On hold" : isChange ? Self.failed : failed ?? Self.failed
    self.isAlone = isAlone && !isChange
  }
}
