import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// The account that somebody signs up for.
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

/// What a form sent.
struct Sent: Equatable, Sendable {
  let account: Account
  let key: String

  init(_ account: Account, _ key: String) { (self.account, self.key) = (account, key) }
}

/// A server that finds something wrong with fields.
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

  /// A form whose keys are k0, k1, k2.
  static func form(
    _ server: PendingResponses<Sent, Int>, _ draft: Account = Account()
  ) -> SignUp {
    let keys = Numbers()
    return FormScreen(
      draft, problems: { ($0 as? Refused)?.messages ?? [:] }, key: { "k\(keys.next())" }
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

  // MARK: Texts that come with the submit

  @Test func aFormIsSentWithItsTextsAndItsKey() {
    probe.send(.change(.name, "Bob"))
    probe.send(.send(Self.ann.texts, key: "old"))
    #expect(server.requested == [Sent(Self.ann, "old")])
    #expect(probe.state.submission.isLoading)
  }

  @Test func aFormThatWasAcceptedIsNotSentAgain() {
    for _ in 0..<2 { probe.send(.send(Self.ann.texts, key: "k0")) }
    reply(.success(7))
    #expect(probe.state.submission.latest == 7)
    // The second click comes late.
    probe.send(.send(Self.ann.texts, key: "k0"))
    #expect(probe.state.submission.latest == 7 && !probe.state.submission.isLoading)
    #expect(server.requested.count == 1)
    // Another form is another one.
    probe.send(.send(Self.ann.texts, key: "k9"))
    #expect(server.requested.count == 2)
  }

  // MARK: Problems

  @Test func emptyFieldHasNoProblemToShowUntilItIsLeft() {
    #expect(probe.state == SignUp.State(Account(), key: "k0"))
    #expect(Account.Field.allCases.allSatisfy { probe.state.problem(in: $0) == nil })
    probe.send(.endedEditing(.name))
    #expect(probe.state.problem(in: .name) == "Enter a name.")
    #expect(probe.state.problem(in: .email) == nil)
    #expect(probe.state.firstProblem == .name)
    #expect(probe.state.rejectedSubmits == 0)
  }

  @Test func problemIsShownAfterAPauseInTyping() {
    probe.send(.change(.email, "a"))
    probe.advance(by: .milliseconds(499))
    probe.send(.change(.email, "an"))
    probe.advance(by: .milliseconds(499))
    #expect(probe.state.problem(in: .email) == nil)
    probe.advance(by: .milliseconds(1))
    #expect(probe.state.problem(in: .email) == "Enter an email address.")
    #expect(probe.state.draft[.email] == "an")
  }

  @Test func eachFieldHasAPauseOfItsOwn() {
    probe.send(.change(.email, "a"))
    probe.advance(by: .milliseconds(400))
    probe.send(.change(.again, "b"))
    probe.advance(by: .milliseconds(100))
    #expect(probe.state.firstProblem == .email)
    #expect(probe.state.problem(in: .again) == nil)
    probe.advance(by: .milliseconds(400))
    #expect(probe.state.problem(in: .again) == "Enter the same address again.")
  }

  @Test func fieldThatIsLeftIsCheckedBeforeThePauseIsOver() {
    probe.send(.change(.email, "a"))
    probe.send(.endedEditing(.email))
    #expect(probe.state.problem(in: .email) != nil)
    let states = probe.states.count
    probe.advance(by: .seconds(1))
    #expect(probe.states.count == states)
  }

  @Test func shownProblemFollowsEachKeystroke() {
    probe.send(.endedEditing(.email))
    probe.send(.change(.email, "a@"))
    #expect(probe.state.problem(in: .email) == nil)
    probe.send(.change(.email, "a"))
    #expect(probe.state.problem(in: .email) == "Enter an email address.")
  }

  @Test func shownProblemFollowsTheOtherFields() {
    type(Account("Ann", "a@b", again: "a@"))
    probe.send(.endedEditing(.again))
    #expect(probe.state.problem(in: .again) != nil)
    probe.send(.change(.email, "a@"))
    #expect(probe.state.problem(in: .again) == nil)
  }

  @Test func textThatIsTheSameIsNoChange() {
    probe.send(.change(.name, ""))
    probe.advance(by: .seconds(1))
    #expect(probe.state.problem(in: .name) == nil)
    #expect(probe.states.count == 1)
  }

  // MARK: Submits

  @Test func submitWithProblemsShowsThemAllAndSendsNothing() {
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

  @Test func submitSendsTheDraftAndGoesOnTyping() {
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

  @Test func thousandSubmitsFromManyTasksAreOne() async {
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

  @Test func acceptedFormIsAsAtFirstAndNotSubmittedAgain() {
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

  @Test func formThatCouldBeSubmittedAtFirstIsNotSubmittedTwice() {
    let probe = ScreenProbe(Self.form(server, Self.ann))
    probe.send(.submit)
    server.reply(.success(7))
    probe.settle()
    probe.send(.submit)
    #expect(server.requested.count == 1)
  }

  @Test func fieldsLeftAfterASuccessHaveNoProblem() {
    type(Self.ann)
    probe.send(.submit)
    reply(.success(7))
    probe.send(.endedEditing(.name))
    probe.advance(by: .seconds(1))
    #expect(
      probe.state == SignUp.State(Account(), submission: .content(7), key: "k1", acceptedKey: "k0"))
  }

  @Test func pauseBeforeASubmitEndsWithIt() {
    type(Self.ann)
    probe.send(.submit)
    probe.send(.change(.name, "Bea"))
    reply(.success(7))
    probe.advance(by: .seconds(1))
    #expect(probe.state.draft == Account("Bea"))
    #expect(probe.state.firstProblem == nil)
  }

  @Test func textTypedWhileSubmittingIsTheNextSubmit() {
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

  @Test func successLeadsToItsRoute() {
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

  // MARK: Failures

  @Test func failureKeepsTheDraftAndIsRetriedWithTheSameKey() {
    type(Self.ann)
    probe.send(.submit)
    reply(.failure(Broken()))
    #expect(probe.state.submission.failure?.textOnly == .broken)
    #expect(probe.state.draft == Self.ann)
    #expect(probe.state.rejectedSubmits == 0)
    probe.send(.submit)
    #expect(probe.state.submission.failure == nil)
    #expect(server.requested == [Sent(Self.ann, "k0"), Sent(Self.ann, "k0")])
    reply(.success(7))
    #expect(probe.state.submission.latest == 7)
    #expect(probe.state.key == "k1")
  }

  @Test func changedDraftHasANewKey() {
    type(Self.ann)
    probe.send(.submit)
    reply(.failure(Broken()))
    probe.send(.change(.name, "Anna"))
    probe.send(.change(.name, "Ann"))
    probe.send(.submit)
    reply(.failure(Broken()))
    #expect(server.requested.map(\.key) == ["k0", "k0"], "it is the same again")
    probe.send(.change(.name, "Anna"))
    probe.send(.submit)
    #expect(server.requested.last?.key == "k1")
    #expect(probe.state.key == "k1")
  }

  @Test func draftThatWasChangedAndRefusedHereKeepsItsKey() {
    type(Self.ann)
    probe.send(.submit)
    reply(.failure(Broken()))
    probe.send(.change(.name, ""))
    probe.send(.submit)
    #expect(probe.state.submission.failure == nil)
    #expect(probe.state.firstProblem == .name)
    probe.send(.change(.name, "Ann"))
    probe.send(.submit)
    #expect(server.requested.map(\.key) == ["k0", "k0"])
  }

  @Test func messageOfTheServerIsShownUntilItsTextChanges() {
    type(Self.ann)
    probe.send(.submit)
    reply(.failure(Refused(messages: [.name: "Taken.", .email: "Unknown."])))
    #expect(probe.state.submission == .idle)
    #expect(probe.state.rejectedSubmits == 1)
    #expect(probe.state.firstProblem == .name)
    probe.send(.change(.name, "An"))
    #expect(probe.state.problem(in: .name) == nil)
    #expect(probe.state.problem(in: .email) == "Unknown.")
    probe.send(.change(.name, "Ann"))
    #expect(probe.state.problem(in: .name) == nil)
    #expect(probe.state.firstProblem == .email)
  }

  @Test func serverIsAskedAgainAboutWhatItRefused() {
    type(Self.ann)
    probe.send(.submit)
    reply(.failure(Refused(messages: [.name: "Taken."])))
    probe.send(.submit)
    #expect(server.requested.map(\.key) == ["k0", "k1"], "the old key has its response")
    #expect(probe.state.problem(in: .name) == "Taken.")
    reply(.failure(Refused(messages: [.email: "Unknown."])))
    #expect(probe.state.problem(in: .name) == nil)
    #expect(probe.state.problem(in: .email) == "Unknown.")
    #expect(probe.state.rejectedSubmits == 2)
  }

  @Test func messageAboutATextThatWasChangedMeanwhileIsAFailure() {
    type(Self.ann)
    probe.send(.submit)
    probe.send(.change(.name, "Anna"))
    reply(.failure(Refused(messages: [.name: "Taken."])))
    #expect(probe.state.problem(in: .name) == nil)
    #expect(probe.state.submission.failure?.message == "The server refused it.")
  }

  // MARK: Keys

  @Test func restoredKeyIsSent() {
    probe.send(.restore(key: "from the page"))
    type(Self.ann)
    probe.send(.submit)
    probe.send(.restore(key: "too late"))
    #expect(server.requested == [Sent(Self.ann, "from the page")])
    reply(.failure(Broken()))
    probe.send(.restore(key: "from the page"))
    probe.send(.change(.name, "Anna"))
    probe.send(.submit)
    #expect(server.requested.last?.key == "k1", "another draft was sent with the restored key")
    reply(.failure(Broken()))
    probe.send(.restore(key: "another"))
    probe.send(.submit)
    #expect(server.requested.last?.key == "another")
  }

  @Test func keysAreRandom() {
    let form = FormScreen<Account, Int>(Account()) { _, _ in 7 }
    #expect(form.initial.key.count == 36)
    #expect(form.initial.key != form.initial.key)
  }

  // MARK: Activity

  @Test func failureIsAnAlertAndARefusalIsNone() {
    let probe = ScreenProbe(ActivityTracking(Self.form(server, Self.ann)))
    probe.send(.content(.submit))
    probe.advance(by: .milliseconds(200))
    #expect(probe.state.activity.isVisible)
    server.reply(.failure(Refused(messages: [.name: "Taken."])))
    probe.advance(by: .seconds(1))
    #expect(!probe.state.activity.isVisible)
    #expect(probe.state.activity.alerts.isEmpty)
    probe.send(.content(.submit))
    server.reply(.failure(Broken()))
    probe.settle()
    #expect(probe.state.activity.alerts.map(\.failure.textOnly) == [.broken])
    #expect(probe.state.activity.alerts.map(\.name) == [.submit])
  }

  @Test func submitIsSentAgainWhenItsTimeHasCome() {
    let probe = ScreenProbe(ActivityTracking(Self.form(server, Self.ann)))
    probe.send(.content(.submit))
    server.reply(.failure(Busy(.seconds(3))))
    probe.settle()
    #expect(probe.state.activity.alerts.map(\.secondsLeft) == [3])
    probe.advance(by: .seconds(3))
    #expect(server.requested.map(\.key) == ["k0", "k0"])
  }

  @Test func changedDraftIsNotSentByItself() {
    let probe = ScreenProbe(ActivityTracking(Self.form(server, Self.ann)))
    probe.send(.content(.submit))
    server.reply(.failure(Busy(.seconds(3))))
    probe.settle()
    probe.send(.content(.change(.name, "Anna")))
    #expect(probe.state.activity.alerts.map(\.secondsLeft) == [nil])
    probe.advance(by: .seconds(9))
    #expect(server.requested.count == 1)
  }

  // MARK: States

  @Test func statesCanBeMade() {
    let state = SignUp.State(
      Account("Ann", "a"), submission: .failed(.broken, last: nil), checked: [.email],
      messages: [.name: "Taken."],
      rejectedSubmits: 2, key: "k")
    #expect(state.problem(in: .name) == "Taken.")
    #expect(state.problem(in: .email) == "Enter an email address.")
    #expect(state.problem(in: .again) == nil)
    #expect(state.submission.failure?.textOnly == .broken)
    #expect(state.canSubmit)
    #expect(!SignUp.State(Account(), submission: .loading(last: nil)).canSubmit)
    #expect(SignUp.State(Account(), submission: .content(1)).submission.latest == 1)
  }

  @Test func ownProblemComesBeforeTheServers() {
    let state = SignUp.State(Account(), checked: [.name], messages: [.name: "Taken."])
    #expect(state.problem(in: .name) == "Enter a name.")
  }
}
