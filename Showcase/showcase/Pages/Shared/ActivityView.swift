import CurlewScreens

/// What goes on behind a page: the bar at its top, and what went wrong.
struct ActivityView {
  struct Alert {
    let name: String
    let message: String
    /// Asks again, without JavaScript.
    let retry: String
    /// Whether there is nothing else on the page.
    let isAlone: Bool
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
    alerts = activity.alerts.map {
      Alert(name: $0.name, message: $0.failure.message, retry: retry, isAlone: isEmpty)
    }
    reload = failure != nil && isEmpty && alerts.isEmpty ? retry : nil
  }
}
