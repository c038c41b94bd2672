#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  extension View {
    /// Shows the activity of a screen: an indicator that does not flicker, and an alert for each error, with a
    /// countdown and a retry button.
    ///
    /// - Parameters:
    ///   - model: The screen.
    ///   - indicator: A closure that returns the indicator, such as `ProgressView("Loading dogs…")`.
    public func activity<Tracked, Indicator: View>(
      of model: ScreenModel<ActivityTracking<Tracked>>,
      @ViewBuilder indicator: @escaping () -> Indicator = { ProgressView().controlSize(.large) }
    ) -> some View {
      modifier(ActivityModifier(model: model, indicator: indicator))
    }
  }

  private struct ActivityModifier<Tracked: Screen, Indicator: View>: ViewModifier {
    let model: ScreenModel<ActivityTracking<Tracked>>
    let indicator: () -> Indicator

    /// Returns a binding to whether an alert is presented; dismissing the alert does not dismiss the next alert.
    private func isPresented(_ id: ScreenActivity.Alert.ID?) -> Binding<Bool> {
      Binding {
        model.state.activity.alerts.contains { $0.id == id }
      } set: { isPresented in
        if !isPresented, let id { model.send(.dismiss(id)) }
      }
    }

    func body(content: Content) -> some View {
      let alert = model.state.activity.alerts.first
      content
        .overlay {
          if model.state.activity.isVisible { indicator().allowsHitTesting(false) }
        }
        // Not with `presenting:`, which would keep the first text of a countdown.
        .alert(UserTexts.current.failureTitle, isPresented: isPresented(alert?.id)) {
          if let alert {
            if alert.canRetry {
              Button(UserTexts.current.tryAgainButton) { model.send(.retry(alert.id)) }
            }
            Button(UserTexts.current.dismissButton, role: .cancel) {
              model.send(.dismiss(alert.id))
            }
          }
        } message: {
          if let alert { Text(alert.message) }
        }
    }
  }
#endif
