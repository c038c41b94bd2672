import CurlewFleet
import CurlewTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FleetTests {
  @Test func `A write needs the version that it changes`() async throws {
    let fleet = Fleet()
    let first = try await fleet.set("key", [1], ifVersion: 0, expires: .seconds(60))
    #expect(await fleet.value("key") == first)
    await #expect(throws: FleetError.conflict(first)) {
      try await fleet.set("key", [2], ifVersion: 0, expires: .seconds(60))
    }
    try await fleet.set("key", nil, ifVersion: first.version, expires: .seconds(60))
    #expect(await fleet.value("key").bytes == nil)
  }
}
