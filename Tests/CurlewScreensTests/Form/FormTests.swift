import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// The account of a sign-up form.
struct Account: FormDraft {
  enum Field: CaseIterable { case name, email, again }

  var texts: [Field: String] = [:]

  init(_ name: String = "", _ email: String = "", again: String? = nil) {
    texts = [.name: name, .email: email, .again: again ?? email]
  }

  subscript(field: Field) -> String {
    get { texts[field, default: ""] }
    set { texts[field] = newValue }
  }

  func problem(in field: Field) -> String? {
    switch field {
    case .name: self[.name].isEmpty ? "Enter a name." : nil
    case .email: self[.email].contains("@") ? nil : "Enter an email address."
    case .again: self[.again] == self[.email] ? nil : "Enter the same address again."
    }
  }
}

/// A submit of a form.
struct Sent: Equatable, Sendable {
  let account: Account
  let key: String

  init(_ account: Account, _ key: String) { (self.account, self.key) = (account, key) }
}

/// A server's rejection with messages for fields.
struct Refused: LocalizedError {
  let messages: [Account.Field: String]
  var errorDescription: String? { "The server refused it." }
}

@Suite(.timeLimit(.minutes(1)))
struct FormTests {
  typealias SignUp = FormScreen<Account, Int>

  let server = PendingResponses<Sent, Int>()
  let probe: ScreenProbe<SignUp>
  static let ann = Account("Ann", "ann@example.org")

  init() {
    probe = ScreenProbe(Self.form(server))
  }

  /// Returns a form whose keys are k0, k1, k2.
  static func form(
    _ server: PendingResponses<Sent, Int>, _ draft: Account = Account(),
    next: SignUp.NextDraft? = nil
  ) -> SignUp {
    let keys = Numbers()
    return FormScreen(
      draft, next: next, problems: { ($0 as? Refused)?.messages ?? [:] }, key: { "k\(keys.next())" }
    ) {
      try await server.next(for: Sent($0, $1))
    }
  }

  func type(_ account: Account) {
    for field in Account.Field.allCases { probe.send(.change(field, account[field])) }
  }

  func reply(_ result: Result<Int, any Error>) {
    server.reply(result)
    probe.settle()
  }

  // MARK: Texts sent with the submit

  @Test func `a form is sent with its texts and its key`() {
    probe.send(.change(.name, "Bob"))
    probe.send(.send(Self.ann.texts, key: "old"))
    #expect(server.requested == [Sent(Self.ann, "old")])
    #expect(probe.state.submission.isLoading)
  }

  @Test func `a form that was accepted is not sent again`() {
    for _ in 0..<2 { probe.send(.send(Self.ann.texts, key: "k0")) }
    reply(.success(7))
    #expect(probe.state.submission.latest == 7)
    // The second click arrives late.
    probe.send(.send(Self.ann.texts, key: "k0"))
    #expect(probe.state.submission.latest == 7 && !probe.state.submission.isLoading)
    #expect(server.requested.count == 1)
    // A new key means a new form.
    probe.send(.send(Self.ann.texts, key: "k9"))
    #expect(server.requested.count == 2)
  }

  // MARK: Problems

  @Test func `empty field has no problem to show until it is left`() {
    #expect(probe.state == SignUp.State(Account(), key: "k0"))
    #expect(Account.Field.allCases.allSatisfy { probe.state.problem(in: $0) == nil })
    probe.send(.endedEditing(.name))
    #expect(probe.state.problem(in: .name) == "Enter a name.")
    #expect(probe.state.problem(in: .email) == nil)
    #expect(probe.state.firstProblem == .name)
    #expect(probe.state.rejectedSubmits == 0)
  }

  @Test func `problem is shown after a pause in typing`() {
    probe.send(.change(.email, "a"))
    probe.advance(by: .milliseconds(499))
    probe.send(.change(.email, "an"))
    probe.advance(by: .milliseconds(499))
    #expect(probe.state.problem(in: .email) == nil)
    probe.advance(by: .milliseconds(1))
    #expect(probe.state.problem(in: .email) == "Enter an email address.")
    #expect(probe.state.draft[.email] == "an")
  }

  @Test func `each field has a pause of its own`() {
    probe.send(.change(.email, "a"))
    probe.advance(by: .milliseconds(400))
    probe.send(.change(.again, "b"))
    probe.advance(by: .milliseconds(100))
    #expect(probe.state.firstProblem == .email)
    #expect(probe.state.problem(in: .again) == nil)
    probe.advance(by: .milliseconds(400))
    #expect(probe.state.problem(in: .again) == "Enter the same address again.")
  }

  @Test func `field that is left is checked before the pause is over`() {
    probe.send(.change(.email, "a"))
    probe.send(.endedEditing(.email))
    #expect(probe.state.problem(in: .email) != nil)
    let states = probe.states.count
    probe.advance(by: .seconds(1))
    #expect(probe.states.count == states)
  }

  @Test func `shown problem follows each keystroke`() {
    probe.send(.endedEditing(.email))
    probe.send(.change(.email, "a@"))
    #expect(probe.state.problem(in: .email) == nil)
    probe.send(.change(.email, "a"))
    #expect(probe.state.problem(in: .email) == "Enter an email address.")
  }

  @Test func `shown problem follows the other fields`() {
    type(Account("Ann", "a@b", again: "a@"))
    probe.send(.endedEditing(.again))
    #expect(probe.state.problem(in: .again) != nil)
    probe.send(.change(.email, "a@"))
    #expect(probe.state.problem(in: .again) == nil)
  }

  @Test func `text that is the same is no change`() {
    probe.send(.change(.name, ""))
    probe.advance(by: .seconds(1))
    #expect(probe.state.problem(in: .name) == nil)
    #expect(probe.states.count == 1)
  }

  // MARK: Submits

  @Test func `submit with problems shows them all and sends nothing`() {
    probe.send(.change(.again, "b"))
    probe.send(.submit)
    #expect(Account.Field.allCases.allSatisfy { probe.state.problem(in: $0) != nil })
    #expect(probe.state.firstProblem == .name)
    #expect(probe.state.rejectedSubmits == 1)
    #expect(probe.state.submission == .idle)
    probe.send(.submit)
    #expect(probe.state.rejectedSubmits == 2, "the focus moves again")
    #expect(server.requested == [])
    #expect(probe.state.canSubmit)
  }

  @Test func `submit sends the draft and goes on typing`() {
    type(Self.ann)
    probe.send(.submit)
    #expect(probe.state.submission.isLoading)
    #expect(!probe.state.canSubmit)
    #expect(probe.runner.isWorking)
    let text = " Ann\u{301}a \n"
    probe.send(.change(.name, text))
    #expect(probe.state.draft[.name] == text, "as it was typed")
    #expect(probe.state.submission.isLoading)
    reply(.failure(Broken()))
    #expect(probe.state.draft[.name] == text)
    #expect(server.requested == [Sent(Self.ann, "k0")])
  }

  @Test func `thousand submits from many tasks are one`() async {
    let runner = Runner(Self.form(server, Self.ann))
    await withTaskGroup { group in
      for _ in 0..<1_000 { group.addTask { _ = runner.send(.submit) } }
    }
    await eventually { !server.waiting.isEmpty }
    server.reply(.success(7))
    await runner.writes.finished()
    await runner.waitUntilIdle()
    #expect(server.requested.count == 1)
    #expect(runner.state.submission.latest == 7)
  }

  // MARK: Success

  @Test func `accepted form is as at first and not submitted again`() {
    type(Self.ann)
    probe.send(.submit)
    reply(.success(7))
    #expect(
      probe.state == SignUp.State(Account(), submission: .content(7), key: "k1", acceptedKey: "k0"))
    #expect(!probe.state.canSubmit)
    probe.send(.submit)
    #expect(probe.state.rejectedSubmits == 0)
    probe.send(.change(.name, "B"))
    #expect(probe.state.submission == .idle)
    #expect(probe.state.canSubmit)
  }

  @Test func `form that could be submitted at first is not submitted twice`() {
    let probe = ScreenProbe(Self.form(server, Self.ann))
    probe.send(.submit)
    server.reply(.success(7))
    probe.settle()
    probe.send(.submit)
    #expect(server.requested.count == 1)
  }

  @Test func `fields left after a success have no problem`() {
    type(Self.ann)
    probe.send(.submit)
    reply(.success(7))
    probe.send(.endedEditing(.name))
    probe.advance(by: .seconds(1))
    #expect(
      probe.state == SignUp.State(Account(), submission: .content(7), key: "k1", acceptedKey: "k0"))
  }

  @Test func `pause before a submit ends with it`() {
    type(Self.ann)
    probe.send(.submit)
    probe.send(.change(.name, "Bea"))
    reply(.success(7))
    probe.advance(by: .seconds(1))
    #expect(probe.state.draft == Account("Bea"))
    #expect(probe.state.firstProblem == nil)
  }

  @Test func `text typed while submitting is the next submit`() {
    type(Self.ann)
    probe.send(.submit)
    probe.send(.change(.name, "Bea"))
    reply(.success(7))
    #expect(probe.state.draft == Account("Bea"))
    #expect(probe.state.submission.latest == 7)
    #expect(probe.state.canSubmit)
    probe.send(.change(.email, "b@c"))
    probe.send(.change(.again, "b@c"))
    #expect(probe.state.submission.latest == nil)
    probe.send(.submit)
    #expect(server.requested.last == Sent(Account("Bea", "b@c"), "k1"))
  }

  @Test func `profile shows the saved texts`() {
    let probe = ScreenProbe(Self.form(server, Self.ann))
    probe.send(.change(.name, "Anna"))
    probe.send(.submit)
    probe.send(.change(.email, "anna@example.org"))
    server.reply(.success(7))
    probe.settle()
    #expect(probe.state.draft == Account("Anna", "anna@example.org", again: "ann@example.org"))
    #expect(probe.state.submission.latest == 7 && probe.state.canSubmit)
    probe.send(.change(.again, "anna@example.org"))
    probe.send(.submit)
    #expect(server.requested.last == Sent(Account("Anna", "anna@example.org"), "k1"))
  }

  @Test func `composer with texts is reset if it is told so`() {
    let probe = ScreenProbe(Self.form(server, Self.ann, next: .empty))
    probe.send(.change(.name, "Anna"))
    probe.send(.submit)
    server.reply(.success(7))
    probe.settle()
    #expect(probe.state.draft == Self.ann)
  }

  @Test func `texts may be made from the response`() {
    let next = SignUp.NextDraft.response { Account("Ann \($0)", "ann@example.org") }
    let probe = ScreenProbe(Self.form(server, Self.ann, next: next))
    probe.send(.submit)
    probe.send(.change(.again, "new@example.org"))
    server.reply(.success(7))
    probe.settle()
    #expect(
      probe.state.draft == Account("Ann 7", "ann@example.org", again: "new@example.org"),
      "with the text that was typed meanwhile")
    probe.send(.clear)
    #expect(probe.state.draft == Account("Ann 7", "ann@example.org"))
  }

  // MARK: Without a submission

  @Test func `cleared form is as at first`() {
    probe.send(.change(.email, "a"))
    probe.send(.submit)
    probe.send(.change(.name, ""))
    probe.send(.clear)
    #expect(probe.state == SignUp.State(Account(), key: "k1"))
    probe.send(.change(.email, "a"))
    probe.send(.clear)
    probe.advance(by: .seconds(1))
    #expect(probe.state == SignUp.State(Account(), key: "k2"), "without a problem later")
  }

  @Test func `result of a form that was cleared is ignored`() {
    type(Self.ann)
    probe.send(.submit)
    probe.send(.clear)
    #expect(probe.state.canSubmit)
    reply(.success(7))
    #expect(probe.state == SignUp.State(Account(), key: "k1"))
  }

  @Test func `form can be checked without being sent`() {
    probe.send(.check([.name]))
    #expect(probe.state.firstProblem == .name)
    #expect(probe.state.problem(in: .email) == nil, "the field of a later step")
    #expect(probe.state.rejectedSubmits == 1)
    probe.send(.change(.name, "Ann"))
    probe.send(.check([.name]))
    #expect(probe.state.firstProblem == nil && probe.state.rejectedSubmits == 1)
    probe.send(.check())
    #expect(probe.state.firstProblem == .email && probe.state.rejectedSubmits == 2)
    #expect(server.requested == [] && probe.state.submission == .idle)
  }

  @Test func `success leads to its route`() {
    let form = FormScreen<Account, Int>(Self.ann, route: { $0 == 7 ? Spot.item($0) : nil }) {
      _, _ in
      7
    }
    let log = Places()
    let executor = TestExecutor()
    let runner = Runner(form, clock: TestClock(), executor: .custom(executor), navigator: log)
    runner.send(.submit)
    executor.drain()
    #expect(log.addresses == ["/items/7"])
    #expect(runner.state.submission.latest == 7)
  }
}
