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
      Binding { @MainActor in
        self[dynamicMember: member]
      } set: { @MainActor value in
        self.send(event(value))
      }
    }
  }

  extension View {
    /// Runs a screen while the view is visible and its scene is not in the background.
    ///
    /// Otherwise the screen's work is suspended. Stale content is reloaded when the view is back
    /// (`ScreenActivity.Options`).
    ///
    /// A view with another model is another view. A screen that was ended because of a mistake in it shows that something
    /// went wrong (`ScreenModel.failure`).
    public func running<S>(_ model: ScreenModel<S>) -> some View {
      modifier(RunningModifier(model: model))
    }
  }

  private struct RunningModifier<S: Screen>: ViewModifier {
    let model: ScreenModel<S>
    @Environment(\.scenePhase) private var phase
    // Set by a change only: the phase of a view in a UIKit app may always be `.background`.
    @State private var isInBackground = false

    init(model: ScreenModel<S>) { self.model = model }

    func body(content: Content) -> some View {
      content
        .task(id: isInBackground) {
          if !isInBackground { await model.run() }
        }
        .overlay {
          if let failure = model.failure {
            ContentUnavailableView(failure.message, systemImage: "exclamationmark.triangle")
          }
        }
        .id(ObjectIdentifier(model))
        .onChange(of: phase) { isInBackground = phase == .background }
    }
  }
#endif
