import CurlewLive
import CurlewTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceLifecycle
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ReadinessTests {
  @Test func `process that shuts down is not ready for a while`() async throws {
    let (clock, router) = (TestClock(), Router())
    let readiness = LiveReadiness(at: "/health", drainTime: .seconds(5), clock: clock)
    router.add(readiness)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    try await Application(router: router, logger: logger).test(.router) { client in
      #expect(try await client.execute(uri: "/health", method: .get).status == .ok)
      let group = ServiceGroup(services: [readiness], logger: logger)
      async let end: Void = group.run()
      await group.triggerGracefulShutdown()
      await clock.waitForSleepers(1)
      let response = try await client.execute(uri: "/health", method: .get)
      #expect(response.status == .serviceUnavailable)
      #expect(response.headers[.cacheControl] == "no-store")
      clock.advance(by: .seconds(5))
      try await end
    }
  }
}
