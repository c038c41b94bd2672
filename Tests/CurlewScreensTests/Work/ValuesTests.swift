import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// A load with several values: first the stored value, then the current value.
@Suite(.timeLimit(.minutes(1)))
struct ValuesTests {
  struct Prices: Screen {
    enum Event { case load, later, stop, same }

    struct State: Equatable {
      var price: Loadable<Int> = .idle
      var notes: [String] = []
    }

    let replies: PendingResponses<Int, Dated<Int>?>
    let initial = State()

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .load: load(after: .zero, &work)
      case .later: load(after: .seconds(1), &work)
      case .stop: work.cancel("price")
      case .same: work.join("price")
      }
    }

    private func load(after delay: Duration, _ work: inout Work<State>) {
      let source = Source(values: { [replies] in Values(replies, for: $0) })
      work.latest("price", after: delay, source, for: 1, \.price) { state, work in
        guard state.price.isLoading, let value = state.price.latest else { return }
        work.latest("note") {
          "note \(value)"
        } finished: { state, note, _ in
          state.notes.append((try? note.get()) ?? "none")
        }
      }
    }
  }

  let replies = PendingResponses<Int, Dated<Int>?>()
  let probe: ScreenProbe<Prices>

  init() {
    probe = ScreenProbe(Prices(replies: replies))
  }

  var price: Loadable<Int> { probe.state.price }

  func deliver(_ value: Int?, to index: Int = 0) {
    replies.reply(.success(value.map { Dated($0, asOf: .at(Double($0))) }), to: index)
    probe.settle()
  }

  func fail() {
    replies.reply(.failure(Broken()))
    probe.settle()
  }

  @Test func `stored value is shown while the current one loads`() {
    probe.send(.load)
    #expect(price == .loading(last: nil))
    deliver(1)
    #expect(price == .loading(last: 1, asOf: .at(1)))
    deliver(2)
    #expect(price == .loading(last: 2, asOf: .at(2)))
    deliver(nil)
    #expect(price == .content(2, asOf: .at(2)))
    #expect(!probe.runner.isWorking)
  }

  @Test func `failure before any value keeps what was there`() {
    probe.send(.load)
    deliver(1)
    deliver(nil)
    probe.send(.load)
    #expect(price == .loading(last: 1, asOf: .at(1)))
    fail()
    #expect(price.textOnly == .failed(.broken, last: 1, asOf: .at(1)))
  }

  @Test func `end without a value makes the last one current`() {
    probe.send(.load)
    deliver(1)
    fail()
    probe.send(.load)
    deliver(nil)
    #expect(price == .content(1, asOf: .at(1)))
  }

  @Test func `cancelled load delivers nothing more`() {
    probe.send(.load)
    deliver(1)
    probe.send(.stop)
    let states = probe.states
    deliver(2)
    #expect(probe.states == states)
    // The load requests no more values after the ignored value.
    #expect(replies.requested.count == 2)
    #expect(!probe.runner.isWorking)
  }

  @Test func `Cancelled load of a property keeps its stored value`() {
    probe.send(.load)
    deliver(1)
    probe.send(.stop)
    #expect(price == .content(1, asOf: .at(1)))
  }

  @Test func `Source whose closure returns no value is empty`() {
    struct Empty: Screen {
      let initial = Loadable<Int>.idle

      func handle(
        _ event: Void, _ state: inout Loadable<Int>, _ work: inout Work<Loadable<Int>>
      ) {
        work.latest("value", Source { _ in nil }, for: 1, \.self)
      }
    }
    let probe = ScreenProbe(Empty())
    probe.send(())
    #expect(probe.state == .empty)
    let search = ScreenProbe(Search<Int>(source: Source { _ in nil }))
    search.send(.term("a"))
    search.send(.submit)
    #expect(search.state.results == .empty)
  }

  @Test func `suspended load begins anew with its stored value`() {
    probe.send(.load)
    deliver(1)
    probe.suspend()
    deliver(2)
    #expect(price == .loading(last: 1, asOf: .at(1)))
    probe.resume()
    deliver(1)
    deliver(3)
    deliver(nil)
    #expect(price == .content(3, asOf: .at(3)))
  }

  @Test func `event is finished at the end of the values`() {
    let first = probe.send(.load)
    deliver(1)
    #expect(!first.isFinished)
    let second = probe.send(.same)
    deliver(2)
    #expect(!first.isFinished)
    deliver(nil)
    #expect(first.isFinished)
    #expect(second.isFinished)
  }

  @Test func `work that a value starts belongs to the event`() {
    let screen = Waiter()
    let probe = ScreenProbe(screen)
    let event = probe.send(())
    screen.values.reply(.success(Dated(1, asOf: nil)))
    probe.settle()
    screen.values.reply(.success(nil))
    probe.settle()
    #expect(!event.isFinished, "what the value started still runs")
    screen.more.reply(.success(1))
    probe.settle()
    #expect(event.isFinished)
  }

  @Test func `values are passed on in order and once`() {
    probe.send(.load)
    deliver(1)
    deliver(1)
    deliver(2)
    deliver(nil)
    #expect(probe.state.notes == ["note 1", "note 1", "note 2"])
    let prices = probe.states.map(\.price)
    #expect(prices.filter { $0 == .loading(last: 2, asOf: .at(2)) }.count <= 2)
    #expect(zip(probe.states, probe.states.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func `delayed load waits`() {
    probe.send(.later)
    probe.send(.later)
    #expect(replies.requested == [])
    probe.advance(by: .seconds(1))
    #expect(replies.requested == [1])
    deliver(1)
    deliver(nil)
    #expect(price == .content(1, asOf: .at(1)))
  }

  /// A screen whose values start further work.
  struct Waiter: Screen {
    let values = PendingResponses<Int, Dated<Int>?>()
    let more = PendingResponses<Int, Int>()
    let initial = Loadable<Int>.idle

    func handle(
      _ event: Void, _ state: inout Loadable<Int>, _ work: inout Work<Loadable<Int>>
    ) {
      let (values, more) = (values, more)
      let source = Source(values: { key in
        AsyncThrowingStream(unfolding: { try await values.next(for: key) })
      })
      work.latest("values", source, for: 1, \.self) { state, work in
        guard state.isLoading, let value = state.latest else { return }
        work.latest("more") {
          try await more.next(for: value)
        } finished: { _, _, _ in
        }
      }
    }
  }
}
