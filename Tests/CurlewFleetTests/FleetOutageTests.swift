import CurlewFleet
import CurlewTesting
import Testing

/// A fleet whose engine is gone or slow.
@Suite(.timeLimit(.minutes(1)))
struct FleetOutageTests {
  @Test(arguments: [FaultyEngine.Fault.silent, .lostResponses, .late])
  func `No caller waits longer than 100 ms for the engine`(_ fault: FaultyEngine.Fault) throws {
    let test = TestFleet()
    let fleet = test.fleet
    let first = try test.set("key", [1])
    test.engine.fault = fault
    let calls = (
      test.start { await fleet.value("key") },
      test.start {
        try await fleet.set("key", [2], ifVersion: first.version, expires: .seconds(600))
      },
      test.start { await fleet.take(5, of: "api", limit: 10, per: .seconds(60)) },
      test.start { await fleet.lease("owner", for: .seconds(10)) }
    )
    test.clock.advance(by: .milliseconds(100))
    #expect(try calls.0.result?.get() == first)
    #expect(try calls.1.result?.get().version ?? 0 < 0)
    #expect(try calls.2.result?.get().count == 5)
    #expect(try calls.3.result?.get()?.number == -1)
    #expect(test.events == [.away(.timeout)])
    // Later calls don't wait at all.
    #expect(try test.value("key").bytes == [2])
    #expect(fleet.metrics.isConnected == false)
    test.engine.fault = nil
    test.clock.advance(by: .seconds(1))
    #expect(fleet.metrics.isConnected)
    #expect(try test.truth("key").bytes == [2])
  }

  @Test func `An outage is reported once, at its beginning and its end`() throws {
    let test = TestFleet()
    let fleet = test.fleet
    test.engine.fault = .refused
    for key in 0..<50 {
      try test.set("key \(key)", [1])
      test.clock.advance(by: .milliseconds(500))
    }
    #expect(test.events.count == 1)
    test.engine.fault = nil
    test.clock.advance(by: .seconds(1))
    #expect(test.events.count == 2)
    guard case .back(let time, dropped: 0) = test.events.last else {
      Issue.record("\(test.events)")
      return
    }
    #expect(time >= .seconds(25) && time <= .seconds(26))
    #expect(fleet.metrics.reconnections == 1 && fleet.metrics.failures > 20)
    for key in 0..<50 { #expect(try test.truth("key \(key)").bytes == [1]) }
  }

  @Test func `A local value gives way to a value that another server stored first`() throws {
    let test = TestFleet(servers: 2)
    let (seen, away) = (Seen(), test.servers[0])
    _ = test.start { for await value in away.values(of: "key") { seen.add(value) } }
    let first = try test.set("key", [1], by: 1)
    test.engines[0].fault = .refused
    test.executor.drain()
    let local = try test.set("key", [1, 2], ifVersion: first.version)
    #expect(local.version < 0 && seen.all.last == local)
    #expect(throws: FleetError.conflict(local)) {
      try test.set("key", [9], ifVersion: first.version)
    }
    let truth = try test.set("key", [1, 3], ifVersion: first.version, by: 1)
    test.engines[0].fault = nil
    test.clock.advance(by: .seconds(1))
    #expect(seen.all.last == truth)
    #expect(try test.truth("key") == truth)
    #expect(test.events.contains { if case .back(_, dropped: 1) = $0 { true } else { false } })
  }

  @Test(arguments: FaultyEngine.Fault.allCases.filter { $0 != .slow })
  func `Local values on a value that nobody else changes are stored`(_ fault: FaultyEngine.Fault)
    throws
  {
    let test = TestFleet()
    let fleet = test.fleet
    let first = try test.set("key", [1])
    test.engine.fault = fault
    let second = test.start {
      try await fleet.set("key", [1, 2], ifVersion: first.version, expires: .seconds(600))
    }
    test.clock.advance(by: .milliseconds(100))
    let local = try #require(try second.result?.get())
    #expect(local.version < 0)
    try test.set("key", [1, 2, 3], ifVersion: local.version)
    test.engine.fault = nil
    test.clock.advance(by: .seconds(1))
    #expect(try test.truth("key").bytes == [1, 2, 3])
    #expect(test.events.contains { if case .back(_, dropped: 0) = $0 { true } else { false } })
  }

  @Test func `A value that is set while the engine comes back is stored, too`() throws {
    let test = TestFleet()
    test.engine.fault = .refused
    test.executor.drain()
    let first = try test.set("key", [1], ifVersion: 0)
    test.engine.setFault(.slow)
    // The check of the engine and the first value take 40 ms each.
    test.clock.advance(by: .milliseconds(1_050))
    #expect(!test.fleet.metrics.isConnected)
    try test.set("key", [1, 2], ifVersion: first.version)
    test.clock.advance(by: .seconds(1))
    #expect(try test.truth("key").bytes == [1, 2])
    #expect(test.fleet.metrics.isConnected)
  }

  @Test func `A local version is still good for a write after the outage`() throws {
    let test = TestFleet()
    test.engine.fault = .refused
    test.executor.drain()
    let local = try test.set("key", [1], ifVersion: 0)
    test.engine.fault = nil
    test.clock.advance(by: .seconds(1))
    try test.set("key", [1, 2], ifVersion: local.version)
    #expect(try test.truth("key").bytes == [1, 2])
  }

  @Test func `Without the engine, a quota is the last known share`() throws {
    let test = TestFleet(servers: 4)
    for step in 0..<8 { _ = try test.take(2, by: step % 4) }
    for engine in test.engines { engine.fault = .refused }
    test.executor.drain()
    for server in 0..<4 {
      let grant = try test.take(60, by: server)
      #expect(grant.count == 11 && grant.retryAfter != nil)
    }
    test.clock.advance(by: .seconds(66))
    for server in 0..<4 { #expect(try test.take(60, by: server).count == 15) }
  }

  @Test func `The log lines of an outage are sentences`() {
    #expect(
      "\(FleetEvent.away(.timeout))"
        == "The fleet's engine is away, and values are local: The engine did not respond in time.")
    #expect(
      "\(FleetEvent.back(after: .seconds(2), dropped: 1))"
        == "The fleet's engine is back after 2.0 seconds; 1 of the local values gave way to newer ones."
    )
  }
}
