import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DetailOrderTests {
  typealias Screen = Detail<Int, Entry, Entry>
  /// The source has no value with id 4.
  private let values = PendingResponses { (id: Int) in id == 4 ? nil : Entry(id, "all") }
  private let events: [Screen.Event] = (0...4).map { .show($0) } + [.refresh, .retry]

  @Test func `every order of a detail keeps the promises`() async {
    await exploreInTime(
      Screen(known: { $0 == 3 ? nil : Entry($0) }) { [values] in try await values.next(for: $0) },
      events: events, checking: [.always { [values] in #expect(Self.violation($0, values) == nil) }]
    )
  }

  private static func violation(
    _ probe: ScreenProbe<Screen>, _ values: PendingResponses<Int, Entry?>
  ) -> String? {
    let state = probe.state
    if !probe.isSuspended, values.active != (state.content.isLoading ? [state.id] : []) {
      return "loads \(values.active)"
    }
    guard let id = state.id else { return state == .init() ? nil : "shows nobody" }
    if state.known != (id == 3 ? nil : Entry(id)) { return "knows another item" }
    if let content = state.content.latest, content.id != id { return "shows another" }
    switch state.content {
    case .idle: return "was never loaded"
    case .empty: return id == 4 ? nil : "it is there"
    default: return nil
    }
  }

  @Test func `no kept detail shows another`() async {
    let content = events.map { Tabs<Screen>.Event.content($0) }
    await exploreInTime(
      Tabs(content: Screen { [values] in try await values.next(for: $0) }),
      events: content + [
        .content(.clear), .select(0), .select(1), .open(1, .show(2)), .cancel(.detail),
      ],
      checking: [
        .always { [values] probe in
          let state = probe.state.shown
          #expect(probe.isSuspended || values.active == (state.content.isLoading ? [state.id] : []))
          #expect(state.content.latest.map { $0.id == state.id } ?? true)
        }
      ])
  }
}
