import CurlewScreens
import CurlewTesting
import Synchronization
import TestSupport
import Testing

/// What the reply to a row's load costs in a list of many rows.
@Suite(.timeLimit(.minutes(1)))
struct RowCostTests {
  /// Counts of the comparisons and hashes of the rows and their ids.
  final class Counts: Sendable {
    let comparisons = Atomic<Int>(0)
    let hashes = Atomic<Int>(0)

    func reset() {
      comparisons.store(0, ordering: .relaxed)
      hashes.store(0, ordering: .relaxed)
    }
  }

  @TaskLocal static var counts: Counts?

  struct Row: Screen {
    struct ID: Hashable {
      let number: Int

      func hash(into hasher: inout Hasher) {
        counts?.hashes.add(1, ordering: .relaxed)
        hasher.combine(number)
      }
    }

    struct State: Equatable, Identifiable {
      var id: ID
      var likes = 0
      @Unobserved var replies = 0

      static func == (one: Self, other: Self) -> Bool {
        counts?.comparisons.add(1, ordering: .relaxed)
        return one.id == other.id && one.likes == other.likes
      }
    }

    let replies: PendingResponses<Int, Int>
    let notesReplies: Bool
    let initial = State(id: ID(number: 0))

    func handle(_ event: Void, _ state: inout State, _ work: inout Work<State>) {
      let number = state.id.number
      work.latest("like") { [replies] in
        try await replies.next(for: number)
      } finished: { state, result, _ in
        state.likes += (try? result.get()) ?? 0
      }
    }

    func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
      if notesReplies { state.replies = state.likes }
    }
  }

  struct Rows: Screen {
    struct State: Equatable { var rows: [Row.State] = [] }

    enum Event { case rows([Int]), like(Int) }

    let replies = PendingResponses<Int, Int>()
    var notesReplies = false
    let initial = State()
    var row: Row { Row(replies: replies, notesReplies: notesReplies) }
    var parts: [Part<State, Event>] { [Part(each: \.rows, row)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .rows(let numbers): state.rows = numbers.map { Row.State(id: Row.ID(number: $0)) }
      case .like(let number):
        work.scope(each: \.rows, id: Row.ID(number: number), &state) { row.handle((), &$0, &$1) }
      }
    }
  }

  /// Returns the counts of the reply to the load of one of 1,000 rows.
  private func countsOfReply(to number: Int) async -> Counts {
    let (rows, counts) = (Rows(), Counts())
    let runner = Runner(rows)
    runner.send(.rows(Array(0..<1_000)))
    runner.send(.like(1))
    await eventually { rows.replies.waiting == [1] }
    // The load's task has the counts, too.
    Self.$counts.withValue(counts) { _ = runner.send(.like(number)) }
    await eventually { rows.replies.waiting == [1, number] }
    counts.reset()
    rows.replies.reply(.success(1), to: 1)
    await eventually { runner.state.rows[number].likes == 1 }
    #expect(runner.state.rows.map(\.likes).reduce(0, +) == 1)
    return counts
  }

  @Test(arguments: [0, 500, 999])
  func `a row's reply compares each row at most twice`(number: Int) async {
    let counts = await countsOfReply(to: number)
    #expect(counts.comparisons.load(ordering: .relaxed) <= 2_010)
  }

  @Test func `a row's reply hashes no other row's id`() async {
    let counts = await countsOfReply(to: 500)
    #expect(counts.hashes.load(ordering: .relaxed) < 100)
  }

  @Test func `a change that a comparison does not see is stored`() async {
    let rows = Rows(notesReplies: true)
    let runner = Runner(rows)
    runner.send(.rows([1, 2, 3]))
    runner.send(.like(2))
    await eventually { rows.replies.waiting == [2] }
    rows.replies.reply(.success(1))
    await eventually { runner.state.rows[1].likes == 1 }
    #expect(runner.state.rows.map(\.replies) == [0, 1, 0])
  }
}
