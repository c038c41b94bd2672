#if canImport(SwiftUI)
  public import CurlewScreens
  public import SwiftUI

  extension View {
    /// Moves the focus to the first field with a problem when a submitted form is rejected.
    ///
    /// ```swift
    /// @FocusState private var field: Account.Field?
    ///
    /// Form { … }.focusesFirstProblem(of: model.state, $field)
    /// ```
    public func focusesFirstProblem<Draft, Value>(
      of form: FormScreen<Draft, Value>.State, _ focus: FocusState<Draft.Field?>.Binding
    ) -> some View {
      onChange(of: form.rejectedSubmits) {
        focus.wrappedValue = form.firstProblem
      }
    }
  }
#endif
