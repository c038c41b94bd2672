import CurlewTesting
import Synchronization
import TestSupport
import Testing

@testable import CurlewFleet

/// Random stories of three servers: edits, leases, lost news, lost and late calls.
@Suite(.timeLimit(.minutes(10)))
struct FleetStoryTests {
  private static let keys = ["page a", "page b"]
  private static let expiry = Duration.seconds(100_000)

  @Test func `All servers end with the truth, and no write settles twice`() async {
    await tellStories("fleets", count: 1_200) { seed in
      do { return try Self.story(SeededGenerator(seed: seed)) } catch { return "\(error)" }
    }
  }

  private static func story(_ random: SeededGenerator) throws -> String? {
    var random = random
    let fleet = TestFleet(servers: 3)
    let seen = fleet.servers.map { server in
      keys.map { key in
        let seen = Seen()
        _ = fleet.executor.task { [weak server] in
          guard let values = server?.values(of: key) else { return }
          for await value in values { seen.add(value) }
        }
        return seen
      }
    }
    var writes: [(byte: UInt8, outcome: TestFleetOutcome)] = []
    let isConditional = !random.chance(oneIn: 6)
    for step in 1...random.pick(10...60) {
      let index = random.pick(0...2)
      let (server, engine) = (fleet.servers[index], fleet.engines[index])
      switch random.pick(1...10) {
      case 1...5:
        let (key, byte) = (random.pick(keys), UInt8(step))
        let hasLease = random.chance(oneIn: 4)
        writes.append(
          (
            byte,
            fleet.start {
              let lease = hasLease ? await server.lease("lease \(key)", for: .seconds(5)) : nil
              if hasLease, lease == nil { throw FleetError.leaseLost }
              let value = await server.value(key)
              return try await server.set(
                key, (value.bytes ?? []) + [byte],
                ifVersion: isConditional ? value.version : nil, lease: lease, expires: expiry)
            }
          ))
      case 6: engine.setFault(random.pick(FaultyEngine.Fault.allCases))
      case 7: engine.setFault(nil)
      case 8: engine.setLosesNews(random.chance(oneIn: 2))
      default: fleet.clock.advance(by: .milliseconds(random.pick(1...2_500)))
      }
      fleet.executor.drain()
    }
    for engine in fleet.engines {
      engine.setFault(nil)
      engine.setLosesNews(false)
    }
    for _ in 1...4 { fleet.clock.advance(by: .seconds(1)) }
    fleet.clock.advance(by: .seconds(30))
    return try problem(fleet, seen, writes) ?? (isConditional ? lostEdit(fleet) : nil)
  }

  /// Returns a stored value that lacks a part of the value that it replaced, or has an older lease.
  private static func lostEdit(_ fleet: TestFleet) -> String? {
    for (key, writes) in fleet.log.values.withLock({ $0 }) {
      var (last, lease) = ([UInt8](), Int64(0))
      for (version, write) in writes.sorted(by: { $0.key < $1.key }) {
        let bytes = Array((write.bytes ?? []).dropFirst())
        guard bytes.starts(with: last) else {
          return "\(key) \(version): \(bytes) replaced \(last)"
        }
        guard write.lease?.number ?? lease >= lease else {
          return "\(key) \(version): an old lease"
        }
        (last, lease) = (bytes, write.lease?.number ?? lease)
      }
    }
    return nil
  }

  private typealias TestFleetOutcome = CurlewFleetTests.Outcome<FleetValue>

  private static func problem(
    _ fleet: TestFleet, _ seen: [[Seen]], _ writes: [(byte: UInt8, outcome: TestFleetOutcome)]
  ) throws -> String? {
    for (index, key) in keys.enumerated() {
      let truth = try fleet.truth(key)
      for (server, seen) in seen.enumerated() {
        let last = seen[index].all.last
        guard last == truth else {
          return "server \(server) shows \(String(describing: last)), not \(truth)"
        }
      }
      let bytes = truth.bytes ?? []
      guard Set(bytes).count == bytes.count else { return "a write settled twice: \(bytes)" }
    }
    let stored = fleet.log.stored.withLock { $0 }
    for (byte, versions) in stored where versions.count > 1 {
      return "write \(byte) was stored as \(versions)"
    }
    for (byte, outcome) in writes {
      switch outcome.result {
      case nil: return "write \(byte) did not end"
      case .success(let value) where value.version > 0 && stored[byte] == nil:
        return "write \(byte) settled, but was not stored"
      case .failure(FleetError.conflict), .failure(FleetError.leaseLost):
        if stored[byte] != nil { return "write \(byte) was refused, but stored" }
      default: break
      }
    }
    let isConnected = fleet.servers.allSatisfy { $0.metrics.isConnected }
    return isConnected ? nil : "a server is not connected"
  }
}
