import CurlewScreens
import CurlewTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FormTests {
  typealias SignUp = FormScreen<Account, Int>

  @Test func `a submit sends the draft, while the user types`() {
    let form = FormSteps(.ann)
    form.probe.send(.submit)
    #expect(form.probe.state.submission.isLoading)
    #expect(!form.probe.state.canSubmit && form.probe.runner.isWorking)
    let text = " Ann\u{301}a \n"
    form.probe.send(.change(.name, text))
    #expect(form.probe.state.draft[.name] == text, "as it was typed")
    #expect(form.probe.state.submission.isLoading)
    #expect(form.server.requested == [Sent(.ann, "k0")])
    form.server.reply(.failure(Broken()))
    form.probe.settle()
    #expect(form.probe.state.submission.failure?.textOnly == .broken)
    #expect(form.probe.state.draft[.name] == text)
  }

  private static let scenarios = Scenario.all(
    """
    an empty field has no problem to show until it is left
      fresh k0; problems nothing; leave name; problems name; first name; rejected 0
    a problem is shown after a pause in typing
      email a; wait 499; email an; wait 499; problems nothing; wait 1; problems email; draft - an -
    each field has a pause of its own
      email a; wait 400; again b; wait 100; first email; problems email; wait 400
      problems email again
    a field that is left is checked before the pause is over
      email a; leave email; problems email; mark; wait 1000; unchanged
    a shown problem follows each keystroke
      leave email; email a@; problems nothing; email a; problems email
    a shown problem follows the other fields
      name Ann; email a@b; again a@; leave again; problems again; email a@; problems nothing
    a text that is the same is no change
      mark; name; wait 1000; problems nothing; unchanged
    a submit with problems shows them all and sends nothing
      again b; submit; problems name email again; first name; rejected 1; is idle
      submit; rejected 2; sent nothing; canSubmit true
    a form is sent with its texts and its key
      name Bob; send old; sent old:Ann; is loading
    a form that was accepted is not sent again, unless with a new key
      send k0; send k0; accept 7; is accepted 7; send k0; is accepted 7; sent k0:Ann
      send k9; sent k0:Ann k9:Ann
    an accepted form is as at first and not submitted again
      fill; submit; accept 7; fresh k1 7 after k0; canSubmit false; submit; rejected 0
      name B; is idle; canSubmit true
    fields left after a success have no problem
      fill; submit; accept 7; leave name; wait 1000; fresh k1 7 after k0
    a pause before a submit ends with it
      fill; submit; name Bea; accept 7; wait 1000; draft Bea - -; first nothing
    a text typed while submitting is the next submit
      fill; submit; name Bea; accept 7; draft Bea - -; is accepted 7; canSubmit true
      email b@c; again b@c; is idle; submit; sent k0:Ann k1:Bea; draft Bea b@c b@c
    a cleared form is as at first, without a problem later
      email a; submit; name; clear; fresh k1; email a; clear; wait 1000; fresh k2
    the result of a form that was cleared is ignored
      fill; submit; clear; canSubmit true; accept 7; fresh k1
    a form can be checked without being sent, step by step
      check name; first name; problems name; rejected 1; name Ann; check name; first nothing
      rejected 1; check; first email; rejected 2; sent nothing; is idle
    a failure keeps the draft and is retried with the same key
      fill; submit; fail; is failed; draft Ann ann@example.org ann@example.org; rejected 0
      submit; is loading; sent k0:Ann k0:Ann; accept 7; is accepted 7; key k1
    a changed draft has a new key, unless it is the same again
      fill; submit; fail; name Anna; name Ann; submit; fail; sent k0:Ann k0:Ann
      name Anna; submit; sent k0:Ann k0:Ann k1:Anna; key k1
    a draft that was changed and refused here keeps its key
      fill; submit; fail; name; submit; is idle; first name; name Ann; submit; sent k0:Ann k0:Ann
    a message of the server is shown until its text changes
      fill; submit; refuse name:Taken. email:Unknown.; is idle; rejected 1; first name
      problems name:Taken. email:Unknown.; name An; problems email:Unknown.
      name Ann; problems email:Unknown.; first email
    the server is asked again about what it refused, with a new key
      fill; submit; refuse name:Taken.; submit; sent k0:Ann k1:Ann; problems name:Taken.
      refuse email:Unknown.; problems email:Unknown.; rejected 2
    a message about a text that was changed meanwhile is a failure
      fill; submit; name Anna; refuse name:Taken.; problems nothing
      is failed: The server refused it.
    a restored key is sent, but not with another draft
      restore page; fill; submit; restore late; sent page:Ann; fail; restore page; name Anna; submit
      sent page:Ann k1:Anna; fail; restore another; submit; sent page:Ann k1:Anna another:Anna
    """)

  @Test(arguments: scenarios) func `a form does as its scenario says`(scenario: Scenario) throws {
    try scenario.run(FormSteps().perform)
  }

  private static let profile = Scenario.all(
    """
    a form that could be submitted at first is not submitted twice
      submit; accept 7; submit; sent k0:Ann
    a profile shows the saved texts
      name Anna; submit; email anna@example.org; accept 7; is accepted 7; canSubmit true
      draft Anna anna@example.org ann@example.org; again anna@example.org; submit
      sent k0:Anna k1:Anna
    a failure is an alert and a refusal is none
      submit; wait 200; indicator true; refuse name:Taken.; wait 1000; indicator false
      alerts nothing; submit; fail; is failed; alerts submit
    a submit is sent again when its time has come
      submit; busy 3; left 3; wait 3000; sent k0:Ann k0:Ann
    a changed draft is not sent by itself
      submit; busy 3; name Anna; left none; wait 9000; sent k0:Ann
    """)

  @Test(arguments: profile) func `a form with texts does as its scenario says`(scenario: Scenario)
    throws
  {
    try scenario.run(FormSteps(.ann).perform)
  }

  @Test func `a composer with texts is reset if it is told so`() throws {
    for scenario in Scenario.all("next: .empty\n  name Anna; submit; accept 7") {
      let form = FormSteps(.ann, next: .empty)
      try scenario.run(form.perform)
      #expect(form.probe.state.draft == .ann)
    }
  }

  @Test func `texts may be made from the response`() {
    let form = FormSteps(.ann, next: .response { Account("Ann \($0)", "ann@example.org") })
    form.probe.send(.submit)
    form.probe.send(.change(.again, "new@example.org"))
    form.server.reply(.success(7))
    form.probe.settle()
    #expect(
      form.probe.state.draft == Account("Ann 7", "ann@example.org", again: "new@example.org"),
      "with the text that was typed meanwhile")
    form.probe.send(.clear)
    #expect(form.probe.state.draft == Account("Ann 7", "ann@example.org"))
  }

  @Test func `thousand submits from many tasks are one`() async {
    let server = PendingResponses<Sent, Int>()
    let runner = Runner(FormSteps.form(server, .ann))
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

  @Test func `a success leads to its route`() {
    let form = FormScreen<Account, Int>(.ann, route: { $0 == 7 ? Spot.item($0) : nil }) { _, _ in
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

  @Test func `keys are random`() {
    let form = FormScreen<Account, Int>(Account()) { _, _ in 7 }
    #expect(form.initial.key.count == 36)
    #expect(form.initial.key != form.initial.key)
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
