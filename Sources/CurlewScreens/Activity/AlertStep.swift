/// The next step of a view that presents a screen's alerts, one at a time.
public enum AlertStep: Equatable, Sendable {
  /// Presents an alert.
  case present(ScreenActivity.Alert)
  /// Sets the message of the presented alert, such as its countdown.
  case update(message: String)
  /// Dismisses the presented alert, and asks for the next step afterwards.
  case dismiss
  /// Asks for the next step when the transition has ended, or the view has appeared.
  case wait

  /// Creates the next step; `nil` without an alert.
  ///
  /// - Parameters:
  ///   - alert: The alert to present (``ScreenModel/alert``).
  ///   - presented: The presented alert.
  ///   - canPresent: Whether the view is in a window, and nothing is being presented or dismissed.
  public init?(
    _ alert: ScreenActivity.Alert?, presented: ScreenActivity.Alert.ID?, canPresent: Bool
  ) {
    if presented == alert?.id {
      guard let alert else { return nil }
      self = .update(message: alert.message)
    } else if !canPresent {
      self = .wait
    } else if presented == nil, let alert {
      self = .present(alert)
    } else {
      self = .dismiss
    }
  }
}
