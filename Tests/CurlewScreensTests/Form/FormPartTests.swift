import CurlewScreens
import CurlewTesting
import Synchronization
import Testing

/// Forms as parts of other screens, and under any order of events.
@Suite(.timeLimit(.minutes(1)))
struct FormPartTests {
  typealias SignUp = FormTests.SignUp

  /// Two forms.
  struct Desk: Screen {
    enum Event {
      case left(SignUp.Event), right(SignUp.Event), replace, empty
    }

    struct State: Equatable {
      var left: SignUp.State
      var right: SignUp.State
    }

    let left: SignUp
    let right: SignUp
    var initial: State { State(left: left.initial, right: right.initial) }
    var parts: [Part<State, Event>] {
      [
        Part(\.left, left, event: Event.left), Part(\.right, right, event: Event.right),
      ]
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .left(let event): work.scope(\.left) { left.handle(event, &state.left, &$0) }
      case .right(let event): work.scope(\.right) { right.handle(event, &state.right, &$0) }
      case .replace: state.left = SignUp.State(Account("Cid", "c@d"), key: "new")
      case .empty: state.left = SignUp.State(Account())
      }
    }
  }

  let lefts = PendingResponses<Sent, Int>()
  let rights = PendingResponses<Sent, Int>()
  let probe: ScreenProbe<Desk>

  init() {
    probe = ScreenProbe(
      Desk(
        left: FormSteps.form(lefts, .ann), right: FormSteps.form(rights, .ann)))
  }

  @Test func `two forms on one screen do not meet`() {
    probe.send(.left(.change(.name, "")))
    probe.send(.right(.change(.name, "")))
    probe.send(.left(.submit))
    #expect(probe.state.right.problem(in: .name) == nil)
    probe.advance(by: .milliseconds(500))
    #expect(probe.state.right.problem(in: .name) != nil, "its pause goes on")
    probe.send(.left(.change(.name, "Ann")))
    probe.send(.right(.change(.name, "Bea")))
    probe.send(.left(.submit))
    probe.send(.right(.submit))
    #expect(lefts.waiting.map(\.account[.name]) == ["Ann"])
    #expect(rights.waiting.map(\.account[.name]) == ["Bea"])
    rights.reply(.success(7))
    probe.settle()
    #expect(probe.state.left.submission.isLoading)
    #expect(probe.state.right.submission.latest == 7)
  }

  @Test func `result of a form that was replaced changes nothing`() {
    probe.send(.left(.submit))
    probe.send(.replace)
    let state = probe.state
    lefts.reply(.success(7))
    probe.settle()
    #expect(probe.state == state)
  }

  @Test func `form that replaced another shows no old problem`() {
    probe.send(.left(.change(.name, "")))
    probe.send(.empty)
    let state = probe.state
    probe.advance(by: .milliseconds(500))
    #expect(probe.state == state)
    #expect(probe.state.left.firstProblem == nil)
  }

  @Test func `form that replaced another has its own result`() {
    probe.send(.left(.submit))
    probe.send(.replace)
    probe.send(.left(.submit))
    #expect(lefts.requested.count == 1, "one after the other")
    lefts.reply(.success(7))
    probe.settle()
    #expect(probe.state.left.submission.isLoading)
    lefts.reply(.success(8))
    probe.settle()
    #expect(probe.state.left.submission.latest == 8)
    #expect(lefts.requested.map(\.key) == ["k0", "new"])
  }

  /// In any order of events: one submit at a time, no submit with validation problems, and one draft per key.
  @Test func `key stands for one draft`() async {
    let server = PendingResponses { (sent: Sent) in
      if sent.account[.name] == "a@" { throw Refused(messages: [.name: "No."]) }
      return 1
    }
    let changes = Account.Field.allCases.flatMap { field in
      ["", "a", "a@", "b@"].map { SignUp.Event.change(field, $0) } + [.endedEditing(field)]
    }
    await exploreInTime(
      FormSteps.form(server), events: changes + [.submit],
      checking: [
        .always { probe in
          #expect(server.waiting.count == (probe.state.submission.isLoading ? 1 : 0))
          let sent = Dictionary(grouping: server.requested, by: \.key)
          #expect(sent.values.allSatisfy { Set($0.map(\.id)).count == 1 })
          #expect(server.requested.allSatisfy { $0.account.isRight })
        }
      ])
  }
}

extension Account {
  fileprivate var isRight: Bool { Field.allCases.allSatisfy { problem(in: $0) == nil } }
}

extension Sent {
  fileprivate var id: String { Account.Field.allCases.map { account[$0] }.joined(separator: "|") }
}

/// Generates the numbers from zero on.
final class Numbers: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

/// Records the screen's routes.
final class Places: Navigator {
  private let log = Mutex<[String]>([])

  var addresses: [String] { log.withLock { $0 } }

  func go(to route: any Route) { log.withLock { $0.append(route.address) } }
}
