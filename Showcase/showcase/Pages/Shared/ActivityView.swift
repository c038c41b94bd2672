import Application
import CurlewLive
import CurlewScreens

/// The activity of a page: the progress bar at its top, and its errors.
struct ActivityView: TemplateValues {
  /// Whether loading has taken long enough to show an indicator.
  let isBusy: Bool
  let alerts: [AlertView]
  /// Whether an alert shows the failure, so that the status doesn't announce it again.
  var isAlerted: Bool { alerts.contains { !$0.isChange } }
  /// The address for loading again if the error was dismissed and there is no content.
  let reload: String?

  static let names: TemplateNames<Self> = [
    "isBusy": \.isBusy, "alerts": \.alerts, "reload": \.reload, "isAlerted": \.isAlerted,
  ]

  /// - Parameters:
  ///   - activity: The activity of the screen.
  ///   - failure: The reason why loading failed.
  ///   - isEmpty: Whether there is no content.
  ///   - retry: The address for a retry without JavaScript.
  ///   - failed: The title of an alert about a failed load.
  init(
    _ activity: ScreenActivity, failure: LoadFailure?, isEmpty: Bool, retry: String,
    failed: String? = nil
  ) {
    isBusy = !activity.loading.isEmpty
    // Of several rejected changes, the page shows the newest until it is dismissed.
    let refusal = activity.alerts.filter(\.isChange).map(\.id).max()
    alerts = activity.alerts.filter { !$0.isChange || $0.id == refusal }
      .map { AlertView($0, retry: retry, isAlone: isEmpty, failed: failed) }
    reload = failure != nil && isEmpty && alerts.allSatisfy(\.isChange) ? retry : nil
  }
}

/// An error that has not been dismissed.
struct AlertView: TemplateValues {
  private let alert: ScreenActivity.Alert
  private let retry: String
  /// Whether the page has no other content.
  private let isAlone: Bool
  private var number: String { "\(alert.id)" }
  /// Whether a change by the user failed, instead of a load.
  let isChange: Bool
  private var id: String { isChange ? "refusal" : "failure" }
  private var message: String { alert.failure.message }
  private let title: String
  /// The initial delay for screen readers, which announce it only once.
  private var wait: String? {
    alert.secondsLeft == nil ? nil : alert.failure.retryAfter?.spoken
  }
  /// The remaining delay, such as `42 s`.
  private var timeLeft: String? { alert.secondsLeft?.timeLeft }

  private static let failed = "That did not work"

  /// The error in one line, for a terminal.
  var text: String {
    "\(title): \(message)" + (timeLeft.map { " Retrying in \($0)." } ?? "")
  }

  static let names: TemplateNames<Self> = [
    "number": \.number, "id": \.id, "isChange": \.isChange, "title": \.title, "message": \.message,
    "retry": \.retry,
    "isAlone": \.isAlone, "wait": \.wait, "timeLeft": \.timeLeft,
  ]

  init(_ alert: ScreenActivity.Alert, retry: String, isAlone: Bool, failed: String? = nil) {
    (self.alert, self.retry) = (alert, retry)
    isChange = alert.isChange
    title = isChange ? Self.failed : failed ?? Self.failed
    self.isAlone = isAlone && !isChange
  }
}

extension ScreenActivity.Alert {
  /// Whether a change of the user failed that the screen shows optimistically, instead of a load or a
  /// form's submission.
  var isChange: Bool { kind == .write && name != "submit" }
}
