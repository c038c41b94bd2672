import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct DetailInterleavingTests {
  typealias Screen = Detail<Int, Entry, Entry>

  @Test func `every interleaving keeps the promises`() {
    tellStories("Detail", count: 5_000) { generator in
      let things = Transfers<Int, Entry?>()
      let probe = ScreenProbe(
        Screen(known: { $0 == 3 ? nil : Entry($0) }) { try await things.next(for: $0) })
      for _ in 0..<generator.pick(5...40) {
        Self.turn(probe, things, &generator)
        if let problem = Self.problem(probe, things) { return problem }
      }
      while !things.waiting.isEmpty { Self.respond(probe, things, &generator) }
      if let problem = Self.problem(probe, things) { return problem }
      if probe.state.content.isLoading { return "loading sticks: \(probe.state)" }
      return repeated(in: probe.states).map { "delivered twice: \($0)" }
    }
  }

  static func turn(
    _ probe: ScreenProbe<Screen>, _ things: Transfers<Int, Entry?>,
    _ generator: inout SeededGenerator
  ) {
    switch generator.pick(0...8) {
    case 0...2: probe.send(.show(generator.pick(0...4)))
    case 3: probe.send(.refresh)
    case 4: probe.send(.retry)
    case 5 where generator.chance(oneIn: 3):
      probe.runner.suspend()
      probe.runner.resume()
      probe.settle()
    default: if !things.waiting.isEmpty { respond(probe, things, &generator) }
    }
  }

  static func respond(
    _ probe: ScreenProbe<Screen>, _ things: Transfers<Int, Entry?>,
    _ generator: inout SeededGenerator
  ) {
    let place = generator.pick(0...things.waiting.count - 1)
    let id = things.waiting[place]
    let fails = generator.chance(oneIn: 3)
    // The source has no thing with id 4.
    things.reply(fails ? .failure(Broken()) : .success(id == 4 ? nil : Entry(id, "all")), to: place)
    probe.settle()
  }

  static func problem(
    _ probe: ScreenProbe<Screen>, _ things: Transfers<Int, Entry?>
  ) -> String? {
    let state = probe.state
    if things.most > 1 { return "two transfers at a time" }
    if things.live != (state.content.isLoading ? [state.id] : []) {
      return "loads \(things.live) for \(state)"
    }
    guard let id = state.id else { return state == .init() ? nil : "shows nobody: \(state)" }
    if state.known != (id == 3 ? nil : Entry(id)) { return "knows another item: \(state)" }
    if let content = state.content.latest, content.id != id { return "shows another: \(state)" }
    switch state.content {
    case .idle: return "was never loaded: \(state)"
    case .empty: return id == 4 ? nil : "it is there: \(state)"
    default: return nil
    }
  }
}
