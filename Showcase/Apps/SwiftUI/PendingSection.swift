#if canImport(SwiftUI)
  import Application
  import Domain
  import SwiftUI

  /// The user's changes that the host has not confirmed, as a section of a list; nothing if there are none.
  struct PendingSection: View {
    private let state: PendingChanges.State
    private let send: @MainActor (PendingChanges.Event) -> Void

    init(
      _ state: PendingChanges.State, send: @escaping @MainActor (PendingChanges.Event) -> Void
    ) {
      (self.state, self.send) = (state, send)
    }

    var body: some View {
      if let summary = state.summary {
        Section {
          Button("Send now") { send(.sendNow) }
          ForEach(state.all ?? []) { change in
            Text(change.title).font(.headline)
            ForEach(change.lines, id: \.self) { Text($0) }
            ForEach(change.decisions, id: \.self) { decision in
              Button(change.title(of: decision)) { send(.decide(decision, on: change.id)) }
            }
          }
        } header: {
          Text(summary)
        }
      }
    }
  }
#endif
