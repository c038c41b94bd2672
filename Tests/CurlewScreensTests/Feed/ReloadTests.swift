import CurlewScreens
import CurlewTesting
import Synchronization
import Testing

/// A user's refresh makes the source reload.
@Suite(.timeLimit(.minutes(1))) struct ReloadTests {
  @Test func `only a refresh reloads`() {
    let pages = PendingResponses<Bool, Page<Entry>>()
    let probe = ScreenProbe(Feed { _ in try await pages.next(for: Reload.isRequested) })
    for event in [Feed<Entry>.Event.load, .more, .refresh, .more, .sourceChanged, .more] {
      probe.send(event)
      pages.reply(.success(Page([Entry(probe.state.items.count)], next: .number(2))))
      probe.settle()
    }
    #expect(
      pages.requested == [false, false, true, true, false, false],
      "an older next page might not follow the new first page")

    let details = PendingResponses<Bool, Entry>()
    let detail = ScreenProbe(
      Detail<Int, Never, Entry> { _ in try await details.next(for: Reload.isRequested) })
    for event in [Detail<Int, Never, Entry>.Event.show(1), .refresh, .show(2)] {
      detail.send(event)
      details.reply(.success(Entry(1)))
      detail.settle()
    }
    #expect(details.requested == [false, true, false])
  }

  /// A detail whose values make its parent start another load.
  struct Parent: Screen {
    struct State: Equatable, Sendable {
      var detail = Detail<Int, Never, Entry>.State()
      var others = 0
    }

    enum Event: Sendable { case detail(Detail<Int, Never, Entry>.Event), reset }

    let detail: Detail<Int, Never, Entry>
    let other: PendingResponses<Bool, Int>
    let initial = State()
    var parts: [Part<State, Event>] { [Part(\.detail, detail, event: Event.detail)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .detail(let event): work.scope(\.detail) { detail.handle(event, &state.detail, &$0) }
      case .reset: state.detail.content = .idle
      }
    }

    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      guard let entry = state.detail.content.latest, entry.id != state.others else { return }
      state.others = entry.id
      work.latest("other") {
        try await other.next(for: Reload.isRequested)
      } finished: { _, _, _ in
      }
    }
  }

  @Test func `what a value of a refresh starts does not reload`() {
    let other = PendingResponses<Bool, Int>()
    let numbers = Mutex(0)
    // The first load ends; the refresh continues after its value.
    let values = { @Sendable (_: Int) in
      let number = numbers.withLock {
        $0 += 1; return $0
      }
      return AsyncStream<Dated<Entry>> { continuation in
        continuation.yield(Dated(Entry(number), asOf: nil))
        if number == 1 { continuation.finish() }
      }
    }
    let probe = ScreenProbe(Parent(detail: Detail(source: Source(values: values)), other: other))
    probe.send(.detail(.show(1)))
    probe.send(.detail(.refresh))
    #expect(probe.state.detail.content.latest == Entry(2) && probe.state.detail.content.isLoading)
    #expect(other.requested == [false, false])
  }

  @Test func `content that a parent resets is not loaded any more`() {
    let details = PendingResponses<Int, Entry>()
    let probe = ScreenProbe(
      Parent(detail: Detail { try await details.next(for: $0) }, other: PendingResponses()))
    probe.send(.detail(.show(1)))
    probe.send(.reset)
    #expect(!probe.runner.isWorking)
    details.reply(.success(Entry(1)))
    probe.settle()
    #expect(probe.state.detail.content == .idle)
  }
}
