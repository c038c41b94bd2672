import Application
import CurlewScreens
import CurlewTesting
import Synchronization
import Testing

/// The sign-in of the apps.
@Suite(.timeLimit(.minutes(1)))
struct SignInTests {
  private struct Unreachable: Error {}

  @Test func `a sign in ends with its user or says why not`() {
    let calls = Mutex<[String]>([])
    let probe = ScreenProbe(
      SignIn { name in
        calls.withLock { $0.append(name) }
        if name == "nobody" { throw Unreachable() }
        return name == "ada"
      } signOut: {
        calls.withLock { $0.append("out") }
      })
    probe.send(.signIn("eve"))
    probe.send(.signIn("ada"))  // ignored: the first one runs
    probe.settle()
    #expect(probe.state.problem == "There is no such user." && !probe.state.isRunning)
    for event in [SignIn.Event.signIn("ada"), .signOut] {
      probe.send(event)
      #expect(probe.state.problem == nil)
      probe.settle()
    }
    probe.send(.signIn("nobody"))
    probe.settle()
    #expect(probe.activity.alerts.count == 1)
    #expect(calls.withLock { $0 } == ["eve", "ada", "out", "nobody"])
  }
}
