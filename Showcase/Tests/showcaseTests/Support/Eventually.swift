import CurlewTesting
import ShowcaseTestSupport
import Testing

/// An error thrown if a condition doesn't become true in time.
struct NeverCame: Error, CustomStringConvertible {
  let description: String
}

/// The time limit for a condition: longer than any successful operation takes on the slowest
/// machine.
///
/// It is a minute of work on a quiet machine, with half of a core.
let patience = Duration.seconds(180)

/// Waits until a condition is true; checks it every few milliseconds.
///
/// This is the only place where tests wait on a real clock: a real browser has no virtual clock,
/// and neither a browser nor a page without a script notifies tests. Errors of the condition count
/// as false, because patches replace elements.
///
/// - Parameter time: A clock that is advanced at each check.
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
