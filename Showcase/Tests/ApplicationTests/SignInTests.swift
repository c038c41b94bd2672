import Application
import CurlewScreens
import CurlewTesting
import Testing

/// The sign-in of the apps.
@Suite(.timeLimit(.minutes(1)))
struct SignInTests {
  private struct Unreachable: Error {}

  @Test func `a sign in ends with its user or says why not`() {
    let answers = PendingResponses<String, Bool>()
    let probe = ScreenProbe(
      SignIn {
        try await answers.next(for: $0)
      } signOut: {
        _ = try? await answers.next(for: "out")
      })
    probe.send(.signIn("eve"))
    probe.send(.signIn("ada"))
    #expect(answers.requested == ["eve"] && probe.state.isRunning, "one at a time")
    answers.reply(.success(false))
    probe.settle()
    #expect(probe.state.problem == "There is no such user." && !probe.state.isRunning)
    for event in [SignIn.Event.signIn("ada"), .signOut] {
      probe.send(event)
      #expect(probe.state.problem == nil)
      answers.reply(.success(true))
      probe.settle()
      #expect(probe.state.problem == nil && !probe.state.isRunning)
    }
    #expect(answers.requested == ["eve", "ada", "out"])
    probe.send(.signIn("ada"))
    answers.reply(.failure(Unreachable()))
    probe.settle()
    #expect(probe.activity.alerts.count == 1)
  }
}
