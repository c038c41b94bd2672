#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  extension View {
    /// Shows the activity of a screen: an indicator for first loads and writes that does not flicker, and an alert for each
    /// failure that its list does not show, with a countdown and a retry button.
    ///
    /// Pull to refresh, and the placeholder and the end of a list show the other loads and failures.
    ///
    /// - Parameters:
    ///   - model: The screen.
    ///   - indicator: A closure that returns the indicator, such as `ProgressView("Loading dogs…")`.
    public func activity<S, Indicator: View>(
      of model: ScreenModel<S>,
      @ViewBuilder indicator: @escaping () -> Indicator = { ProgressView().controlSize(.large) }
    ) -> some View {
      modifier(ActivityModifier(model: model, indicator: indicator))
    }
  }

  private struct ActivityModifier<S: Screen, Indicator: View>: ViewModifier {
    let model: ScreenModel<S>
    let indicator: () -> Indicator

    /// Returns a binding to whether an alert is presented; dismissing the alert does not dismiss the next alert.
    private func isPresented(_ id: ScreenActivity.Alert.ID?) -> Binding<Bool> {
      Binding { @MainActor in
        model.activity.alerts.contains { $0.id == id }
      } set: { @MainActor isPresented in
        if !isPresented, let id { model.dismiss(id) }
      }
    }

    func body(content: Content) -> some View {
      let alert = model.alert
      content
        .environment(\.screenActivity, model.activity)
        .overlay {
          if model.activity.coversContent {
            indicator().allowsHitTesting(false)
          }
        }
        // Not with `presenting:`, which would keep the first text of a countdown.
        .alert(UserTexts.current.failureTitle, isPresented: isPresented(alert?.id)) {
          if let alert {
            if alert.canRetry {
              Button(UserTexts.current.tryAgainButton) { model.retry(alert.id) }
            }
            Button(UserTexts.current.dismissButton, role: .cancel) {
              model.dismiss(alert.id)
            }
          }
        } message: {
          if let alert { Text(alert.message) }
        }
    }
  }
#endif
