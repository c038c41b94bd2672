import CurlewScreens
import CurlewTesting
import Synchronization
import Testing

/// A screen that follows changes of its state from any source.
@Suite(.timeLimit(.minutes(1)))
struct FollowTests {
  /// Records each state that it follows.
  struct Follower: Screen {
    enum Event { case set(Int), nothing, ask, wait, grow }

    struct State: Equatable {
      var number = 0
      var followed: [Int] = []
    }

    let responses = PendingResponses<String, Int>()
    let calls = Calls()
    var initial: State { State() }

    final class Calls: Sendable {
      let count = Mutex(0)
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .set(let number): state.number = number
      case .nothing: break
      case .grow: state.number = 1_000
      case .ask:
        work.latest("ask") { [responses] in
          try await responses.next(for: "")
        } started: { state in
          state.number = 100
        } finished: { state, result, _ in
          state.number = (try? result.get()) ?? -1
        }
      case .wait: work.timer("wait", after: .seconds(1)) { state, _ in state.number = 7 }
      }
    }

    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      calls.count.withLock { $0 += 1 }
      // Above a thousand, each change causes the next change, without end.
      if state.number >= 1_000 { state.number += 1 }
      if state.followed.last != state.number, state.number < 1_000 {
        state.followed.append(state.number)
      }
    }
  }

  let screen = Follower()
  let probe: ScreenProbe<Follower>

  init() {
    probe = ScreenProbe(screen)
  }

  @Test func `event that changes the state is followed`() {
    probe.send(.set(1))
    #expect(probe.states.count == 2, "the change and what follows are one state")
    #expect(probe.states.last == .init(number: 1, followed: [1]))
    #expect(screen.calls.count.withLock { $0 } == 2, "the second time nothing follows")
    probe.send(.set(2))
    #expect(probe.state.followed == [1, 2])
  }

  @Test func `event that changes nothing is not followed`() {
    probe.send(.nothing)
    probe.send(.set(0))
    #expect(screen.calls.count.withLock { $0 } == 0)
  }

  @Test func `begin and end of work are followed`() {
    probe.send(.ask)
    #expect(probe.state.followed == [100])
    screen.responses.reply(.success(5))
    probe.settle()
    #expect(probe.state.followed == [100, 5])
  }

  @Test func `timer is followed`() {
    probe.send(.wait)
    #expect(screen.calls.count.withLock { $0 } == 0)
    probe.advance(by: .seconds(1))
    #expect(probe.state.followed == [7])
  }

  @Test func `late response that counts no more is not followed`() {
    probe.send(.ask)
    probe.send(.ask)
    let calls = screen.calls.count.withLock { $0 }
    screen.responses.reply(.success(5))
    probe.settle()
    #expect(screen.calls.count.withLock { $0 } == calls)
  }

  @Test func `state that is not equal to itself does not hang`() async {
    struct Progress: Screen {
      let initial = 0.0
      func handle(_ event: Double, _ state: inout Double, _ work: inout Work<Double>) {
        state = event
      }
    }
    let probe = ScreenProbe(Progress())
    probe.send(.nan)
    #expect(probe.state.isNaN)
    probe.send(1)
    #expect(probe.state == 1)
    await MainActor.run {
      let model = ScreenModel(Progress())
      model.send(.nan)
      #expect(model.state.isNaN)
      model.send(1)
      #expect(model.state == 1)
    }
  }

  @Test func `screen that never rests stops with its name`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      ScreenProbe(Follower()).send(.grow)
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("Follower loops forever: its stateDidChange changes the state"))
  }

  @Test func `work can follow from the state`() {
    struct Reader: Screen {
      let responses = PendingResponses<Int, String>()
      struct State: Equatable {
        var page = 0
        var requested = 0
        var text = ""
      }
      var initial: State { State() }
      func handle(_ event: Int, _ state: inout State, _ work: inout Work<State>) {
        state.page = event
      }
      func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
        guard state.page != state.requested else { return }
        state.requested = state.page
        work.latest("read") { [responses, page = state.page] in
          try await responses.next(for: page)
        } finished: { state, result, _ in
          state.text = (try? result.get()) ?? ""
        }
      }
    }
    let screen = Reader()
    let probe = ScreenProbe(screen)
    probe.send(1)
    probe.send(1)
    probe.send(2)
    #expect(screen.responses.requested == [1, 2])
    screen.responses.reply(.success("one"))
    screen.responses.reply(.success("two"))
    probe.settle()
    #expect(probe.state.text == "two")
    #expect(screen.responses.requested == [1, 2])
  }

  @Test func `stopped screen follows nothing`() {
    probe.send(.ask)
    probe.runner.stop()
    let calls = screen.calls.count.withLock { $0 }
    probe.send(.set(3))
    screen.responses.reply(.success(5))
    probe.settle()
    #expect(screen.calls.count.withLock { $0 } == calls)
  }
}
