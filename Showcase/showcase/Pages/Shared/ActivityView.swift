import CurlewScreens

/// What goes on behind a page: the bar at its top, and what went wrong.
struct ActivityView {
  struct Alert {
    let name: String
    let title: String
    let message: String
    /// Asks again, without JavaScript.
    let retry: String
    /// Whether there is nothing else on the page.
    let isAlone: Bool
    /// Whether it is the server that wants to be left alone for a while.
    let isOnHold: Bool
    /// How long that was when it began, for those who hear the page: once is enough.
    let wait: String?
    /// How long it still is: `42 s`.
    let timeLeft: String?
  }

  /// Whether something has loaded for long enough to be worth a word.
  let isBusy: Bool
  let alerts: [Alert]
  /// Asks again where an error was dismissed and nothing is there to show.
  let reload: String?

  /// - Parameters:
  ///   - activity: What the screen does.
  ///   - failure: Why it has not what it was asked for.
  ///   - isEmpty: Whether there is nothing to show.
  ///   - retry: The address that asks again.
  init(_ activity: Activity, failure: LoadFailure?, isEmpty: Bool, retry: String) {
    isBusy = activity.isVisible
    alerts = activity.alerts.map { Alert($0, retry: retry, isAlone: isEmpty) }
    reload = failure != nil && isEmpty && alerts.isEmpty ? retry : nil
  }
}

extension ActivityView {
  /// What goes on behind a list.
  init<Item>(_ activity: Activity, of list: Feed<Item>.State, retry: String) {
    self.init(activity, failure: list.failure, isEmpty: list.items.isEmpty, retry: retry)
  }
}

extension ActivityView.Alert {
  fileprivate init(_ alert: Activity.Alert, retry: String, isAlone: Bool) {
    let wait = alert.failure.retryAfter
    let isCounting = alert.secondsLeft != nil
    self.init(
      name: "\(alert.name)", title: wait == nil ? "That did not work" : "On hold",
      message: alert.failure.message, retry: retry, isAlone: isAlone, isOnHold: wait != nil,
      wait: isCounting ? wait?.spoken : nil, timeLeft: alert.secondsLeft?.timeLeft)
  }
}
