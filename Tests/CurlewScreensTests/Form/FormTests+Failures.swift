import CurlewScreens
import CurlewTesting
import Testing

/// Failures, keys, and states.
extension FormTests {
  // MARK: Failures

  @Test func `failure keeps the draft and is retried with the same key`() {
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

  @Test func `changed draft has a new key`() {
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

  @Test func `draft that was changed and refused here keeps its key`() {
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

  @Test func `message of the server is shown until its text changes`() {
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

  @Test func `server is asked again about what it refused`() {
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

  @Test func `message about a text that was changed meanwhile is a failure`() {
    type(Self.ann)
    probe.send(.submit)
    probe.send(.change(.name, "Anna"))
    reply(.failure(Refused(messages: [.name: "Taken."])))
    #expect(probe.state.problem(in: .name) == nil)
    #expect(probe.state.submission.failure?.message == "The server refused it.")
  }

  // MARK: Keys

  @Test func `restored key is sent`() {
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

  @Test func `keys are random`() {
    let form = FormScreen<Account, Int>(Account()) { _, _ in 7 }
    #expect(form.initial.key.count == 36)
    #expect(form.initial.key != form.initial.key)
  }

  // MARK: Activity

  @Test func `failure is an alert and a refusal is none`() {
    let probe = ScreenProbe(Self.form(server, Self.ann))
    probe.send(.submit)
    probe.advance(by: .milliseconds(200))
    #expect(!probe.activity.loading.isEmpty)
    server.reply(.failure(Refused(messages: [.name: "Taken."])))
    probe.advance(by: .seconds(1))
    #expect(probe.activity.loading.isEmpty)
    #expect(probe.activity.alerts.isEmpty)
    probe.send(.submit)
    server.reply(.failure(Broken()))
    probe.settle()
    #expect(probe.activity.alerts.map(\.failure.textOnly) == [.broken])
    #expect(probe.activity.alerts.map(\.name) == [.submit])
  }

  @Test func `submit is sent again when its time has come`() {
    let probe = ScreenProbe(Self.form(server, Self.ann))
    probe.send(.submit)
    server.reply(.failure(Busy(.seconds(3))))
    probe.settle()
    #expect(probe.activity.alerts.map(\.secondsLeft) == [3])
    probe.advance(by: .seconds(3))
    #expect(server.requested.map(\.key) == ["k0", "k0"])
  }

  @Test func `changed draft is not sent by itself`() {
    let probe = ScreenProbe(Self.form(server, Self.ann))
    probe.send(.submit)
    server.reply(.failure(Busy(.seconds(3))))
    probe.settle()
    probe.send(.change(.name, "Anna"))
    #expect(probe.activity.alerts.map(\.secondsLeft) == [nil])
    probe.advance(by: .seconds(9))
    #expect(server.requested.count == 1)
  }

  // MARK: States

  @Test func `states can be made`() {
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

  @Test func `own problem comes before the servers`() {
    let state = SignUp.State(Account(), checked: [.name], messages: [.name: "Taken."])
    #expect(state.problem(in: .name) == "Enter a name.")
  }
}
