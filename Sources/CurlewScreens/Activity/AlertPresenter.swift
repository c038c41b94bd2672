/// The presentation of a screen's alerts, one at a time: an alert waits until it can be presented.
public struct AlertPresenter: Sendable {
  /// What the view does next.
  public enum Step: Equatable, Sendable {
    /// Presents an alert.
    case present(ScreenActivity.Alert)
    /// Changes the message of the presented alert, such as its countdown.
    case update(ScreenActivity.Alert)
    /// Dismisses the presented alert, and asks for the next step later.
    case dismiss
    /// Asks for the next step later, because an alert can't be presented yet.
    case wait
  }

  private var presented: ScreenActivity.Alert?
  private var isDismissing = false

  /// Creates a presentation.
  public init() {}

  /// Returns the next step; `nil` if nothing changes.
  ///
  /// - Parameters:
  ///   - alert: The alert to present (``ScreenModel/alert``).
  ///   - isPresented: Whether the alert of the last ``Step/present(_:)`` is still presented.
  ///   - canPresent: Whether the view is in a window, and presents nothing else.
  public mutating func next(
    _ alert: ScreenActivity.Alert?, isPresented: Bool, canPresent: Bool
  ) -> Step? {
    if !isPresented { (presented, isDismissing) = (nil, false) }
    guard let shown = presented else {
      guard let alert else { return nil }
      guard canPresent else { return .wait }
      presented = alert
      return .present(alert)
    }
    if isDismissing { return alert == nil ? nil : .wait }
    guard let alert, alert.id == shown.id else {
      isDismissing = true
      return .dismiss
    }
    guard alert != shown else { return nil }
    presented = alert
    return .update(alert)
  }
}
