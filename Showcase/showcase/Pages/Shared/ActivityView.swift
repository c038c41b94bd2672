import CurlewScreens

extension Values {
  /// What goes on behind a page: the bar at its top, and what went wrong.
  ///
  /// - Parameters:
  ///   - activity: What the screen does.
  ///   - failure: Why it has not what it was asked for.
  ///   - isEmpty: Whether there is nothing to show.
  ///   - retry: The address that asks again, without JavaScript.
  static func activity(
    _ activity: ScreenActivity, failure: LoadFailure?, isEmpty: Bool, retry: String
  ) -> Values {
    let alerts = activity.alerts.map { alert($0, retry: retry, isAlone: isEmpty) }
    return [
      // Whether something has loaded for long enough to be worth a word.
      "isBusy": activity.isVisible, "alerts": alerts,
      // Asks again where an error was dismissed and nothing is there to show.
      "reload": failure != nil && isEmpty && alerts.isEmpty ? retry : nil,
    ]
  }

  private static func alert(_ alert: ScreenActivity.Alert, retry: String, isAlone: Bool) -> Values {
    let wait = alert.failure.retryAfter
    return [
      "name": "\(alert.name)", "title": wait == nil ? "That did not work" : "On hold",
      "message": alert.failure.message, "retry": retry,
      // Whether there is nothing else on the page.
      "isAlone": isAlone,
      // Whether it is the server that wants to be left alone for a while.
      "isOnHold": wait != nil,
      // How long that was when it began, for those who hear the page: once is enough.
      "wait": alert.secondsLeft == nil ? nil : wait?.spoken,
      // How long it still is: `42 s`.
      "timeLeft": alert.secondsLeft?.timeLeft,
    ]
  }
}
