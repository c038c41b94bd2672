import CurlewTesting
import ShowcaseTestSupport
import Testing

/// Says what was waited for in vain.
struct NeverCame: Error, CustomStringConvertible {
  let description: String
}

/// Longer than anything takes that works, on the slowest machine: a minute's work of a quiet one, on half
/// of a core.
let patience = Duration.seconds(180)

/// Waits until a condition holds, and looks again every few milliseconds.
///
/// This is the one place where tests wait on a real clock: a real browser has no virtual one, and
/// neither it nor a page without a script tells anybody when it is there. Errors of the condition
/// count as "not yet", because elements come and go while a page is patched.
///
/// - Parameter time: A clock on which some time goes by with each look, where a test has one.
func eventually(
  _ what: String, within limit: Duration = patience, passing time: TestClock? = nil,
  _ condition: () async throws -> Bool
) async throws {
  let clock = ContinuousClock()
  let deadline = clock.now + limit
  var reason = ""
  while clock.now < deadline {
    do {
      if try await condition() { return }
      reason = ""
    } catch {
      reason = " (\(error))"
    }
    try await clock.sleep(for: .milliseconds(20))
    time?.advance(by: .milliseconds(50))
  }
  throw NeverCame(description: "not within \(limit): \(what)\(reason)")
}
