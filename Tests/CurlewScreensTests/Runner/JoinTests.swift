import CurlewScreens
import CurlewTesting
import Testing

/// Events that join the work of an earlier event.
@Suite(.timeLimit(.minutes(1)))
struct JoinTests {
  @Test func `refresh that finds the list loading ends with what is loaded`() {
    let pages = PendingResponses<PageKey?, Page<Entry>>()
    let probe = ScreenProbe(Feed { try await pages.next(for: $0) })
    for first in [Feed<Entry>.Event.load, .refresh] {
      let load = probe.send(first)
      let refresh = probe.send(.refresh)
      let again = probe.send(.load)
      #expect(pages.waiting.count == 1)
      #expect(!load.isFinished && !refresh.isFinished && !again.isFinished)
      pages.reply(.success(Page([1])))
      probe.settle()
      #expect(load.isFinished && refresh.isFinished && again.isFinished)
    }
  }

  @Test func `who joins a load waits for what it leads to`() {
    struct Joining: Screen {
      let responses = PendingResponses<String, Void>()
      let initial = 0
      func handle(_ isFirst: Bool, _ state: inout Int, _ work: inout Work<Int>) {
        work.join("nothing")
        guard isFirst else { return work.join("a") }
        work.latest("a") { [responses] in
          try await responses.next(for: "a")
        } finished: { [responses] _, _, work in
          work.latest("b") {
            try await responses.next(for: "b")
          } finished: { _, _, _ in
          }
        }
      }
    }
    let screen = Joining()
    let probe = ScreenProbe(screen)
    #expect(probe.send(false).isFinished, "there is nothing to join")
    let sent = [true, false, false].map { probe.send($0) }
    for name in ["a", "b"] {
      #expect(screen.responses.waiting == [name])
      #expect(sent.allSatisfy { !$0.isFinished })
      screen.responses.reply(.success(()), for: name)
      probe.settle()
    }
    #expect(sent.allSatisfy { $0.isFinished })
    // An event that joined replaced work is finished.
    let joined = [true, false].map { probe.send($0) }
    probe.send(true)
    #expect(joined.allSatisfy { $0.isFinished })
  }

  @Test func `joins are followed through results and waits`() {
    struct Joining: Screen {
      enum Event { case c, a, later, join(WorkID), timer }
      let responses = PendingResponses<String, Void>()
      let initial = 0
      func handle(_ event: Event, _ state: inout Int, _ work: inout Work<Int>) {
        switch event {
        case .c: load("c", &work)
        case .a: a(&work)
        case .timer: work.timer("t", after: .zero) { _, work in a(&work) }
        case .later:
          work.latest("c", after: .seconds(1)) { [responses] in
            try await responses.next(for: "later")
          } finished: { _, _, _ in
          }
        case .join(let id): work.join(id)
        }
      }
      private func a(_ work: inout Work<Int>) {
        work.latest("a") { [responses] in
          try await responses.next(for: "a")
        } finished: { _, _, work in
          work.join("c")
        }
      }
      private func load(_ name: String, _ work: inout Work<Int>) {
        work.latest("\(name)") { [responses] in
          try await responses.next(for: name)
        } finished: { _, _, _ in
        }
      }
    }
    for first in [Joining.Event.a, .timer] {
      let screen = Joining()
      let probe = ScreenProbe(screen)
      probe.send(.c)
      probe.send(first)
      let joined = probe.send(.join("a"))
      screen.responses.reply(.success(()), for: "a")
      probe.settle()
      #expect(!joined.isFinished, "c, which the result has joined, still runs")
      probe.send(.later)
      let both = probe.send(.join("c"))
      screen.responses.reply(.success(()), for: "c")
      probe.settle()
      #expect(joined.isFinished)
      #expect(!both.isFinished, "what waits is joined, too")
      probe.advance(by: .seconds(1))
      screen.responses.reply(.success(()), for: "later")
      probe.settle()
      #expect(both.isFinished)
    }
  }

  @Test func `ready made screens join what they load already`() {
    func check<S: Screen>(_ screen: S, _ events: [S.Event]) {
      let probe = ScreenProbe(screen)
      let sent = events.map { probe.send($0) }
      #expect(sent.last?.isFinished == false, "\(S.self)")
    }
    let never = PendingResponses<Int, Int>()
    check(
      PagedSearch<Entry> { _, _ in Page([Entry(try await never.next(for: 0))]) },
      [.term("a"), .submit(), .submit()])
    check(Search<Int> { _ in [try await never.next(for: 0)] }, [.term("a"), .submit, .submit])
    check(Detail<Int, Int, Int> { try await never.next(for: $0) }, [.show(1), .show(1)])
    let feed = Feed<Entry> { _ in Page([Entry(try await never.next(for: 0))]) }
    check(feed, [.restore(at: .number(2)), .restore(at: .number(2))])
    check(feed, [.load, .load])
  }
}
