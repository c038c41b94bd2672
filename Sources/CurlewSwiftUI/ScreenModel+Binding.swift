#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  extension ScreenModel {
    /// Returns a binding for a control: it reads a member of the state, and sends an event when the user changes the
    /// value.
    ///
    /// ```swift
    /// List(model.items) { Text($0.title) }
    ///   .searchable(text: model.binding(\.text) { .term($0) })
    /// ```
    public func binding<Value: Sendable>(
      _ member: any KeyPath<S.State, Value> & Sendable,
      send event: @escaping @MainActor (Value) -> S.Event
    ) -> Binding<Value> {
      Binding {
        self.state[keyPath: member]
      } set: { value in
        self.send(event(value))
      }
    }
  }

  extension View {
    /// Runs a screen while the view is visible: the screen's work is suspended when the view disappears, and resumed
    /// when it reappears.
    ///
    /// A screen that was ended because of a mistake in it shows that something went wrong (`ScreenModel.failure`).
    public func running<S>(_ model: ScreenModel<S>) -> some View {
      task { await model.run() }
        .overlay {
          if let failure = model.failure {
            ContentUnavailableView(failure.message, systemImage: "exclamationmark.triangle")
          }
        }
    }
  }
#endif
