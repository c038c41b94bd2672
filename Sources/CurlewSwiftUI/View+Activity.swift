#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  extension View {
    /// Shows the activity of a screen: an indicator that does not flicker, and an alert for each error, with its countdown and a
    /// button that tries again.
    ///
    /// - Parameters:
    ///   - model: The screen.
    ///   - indicator: A closure that returns the indicator, such as `ProgressView("Looking for dogs…")`.
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

    private var alert: ScreenActivity.Alert? { model.state.activity.alerts.first }

    private var isPresented: Binding<Bool> {
      Binding {
        alert != nil
      } set: { isPresented in
        if !isPresented, let name = alert?.name { model.send(.dismiss(name)) }
      }
    }

    func body(content: Content) -> some View {
      content
        .overlay {
          if model.state.activity.isVisible { indicator().allowsHitTesting(false) }
        }
        .alert(
          UserTexts.current.failureTitle, isPresented: isPresented, presenting: alert
        ) { alert in
          if alert.canRetry {
            Button(UserTexts.current.tryAgainButton) { model.send(.retry(alert.name)) }
          }
          Button(UserTexts.current.dismissButton, role: .cancel) {
            model.send(.dismiss(alert.name))
          }
        } message: { alert in
          Text(alert.message)
        }
    }
  }
#endif
