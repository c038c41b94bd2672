import CurlewScreens

/// A parent that keeps the states of its tabs, also while they are loading, and puts them back.
struct Tabs<Content: Screen>: Screen {
  struct State: Equatable, Sendable {
    var tab = 0
    var shown: Content.State
    var kept: [Int: Content.State] = [:]
  }

  enum Event: Sendable {
    case content(Content.Event)
    case select(Int)
    /// Sends several events in one change.
    case all([Content.Event])
    /// Cancels work of the shown state.
    case cancel(WorkID)
    /// Selects a tab, and sends it an event in the same change.
    case open(Int, Content.Event)
  }

  let content: Content
  var isDeclared = true
  var initial: State { State(shown: content.initial) }
  var parts: [Part<State, Event>] {
    isDeclared ? [Part(\.shown, content, event: Event.content)] : [Part(\.shown)]
  }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .content(let event): work.scope(\.shown) { content.handle(event, &state.shown, &$0) }
    case .select(let tab):
      state.kept[state.tab] = state.shown
      state.tab = tab
      state.shown = state.kept[tab] ?? content.initial
    case .all(let events): for event in events { handle(.content(event), &state, &work) }
    case .cancel(let id): work.cancel(id.in(\State.shown))
    case .open(let tab, let event):
      handle(.select(tab), &state, &work)
      handle(.content(event), &state, &work)
    }
  }
}
