#if canImport(UIKit) && !os(watchOS)
  public import CurlewScreens
  public import UIKit

  /// Presents the failures of a screen that its views don't show as alerts, with a countdown and a retry button.
  ///
  /// ```swift
  /// private let presenter = ActivityPresenter()
  /// override func update() { presenter.present(model, over: self) }
  /// ```
  @MainActor
  public final class ActivityPresenter {
    private weak var controller: UIAlertController?
    private var id: ScreenActivity.Alert.ID?

    /// Creates a presenter.
    public init() {}

    /// Presents, updates or dismisses the first alert of a screen's activity.
    public func present<S>(_ model: ScreenModel<S>, over parent: UIViewController) {
      let alert = model.alert
      if let controller, alert?.id != id {
        self.controller = nil
        // The next alert waits until this alert has been dismissed.
        controller.dismiss(animated: true) { [weak self, weak parent] in
          if let parent { self?.present(model, over: parent) }
        }
        return
      }
      guard let alert else {
        id = nil
        return
      }
      if let controller {
        controller.message = alert.message
        return
      }
      // An active search controller is a presented view controller, too.
      let host = (parent.presentedViewController as? UISearchController) ?? parent
      guard host.presentedViewController == nil, parent.viewIfLoaded?.window != nil else { return }
      let controller = UIAlertController(
        title: UserTexts.current.failureTitle, message: alert.message, preferredStyle: .alert)
      if alert.canRetry {
        controller.addAction(
          UIAlertAction(title: UserTexts.current.tryAgainButton, style: .default) { _ in
            model.retry(alert.id)
          })
      }
      controller.addAction(
        UIAlertAction(title: UserTexts.current.dismissButton, style: .cancel) { _ in
          model.dismiss(alert.id)
        })
      (self.controller, id) = (controller, alert.id)
      host.present(controller, animated: true)
    }
  }
#endif
