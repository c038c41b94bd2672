import CurlewFleet
import CurlewTesting
import Testing

/// Values, news, quotas and leases while the engine is there.
@Suite(.timeLimit(.minutes(1)))
struct FleetTests {
  @Test func `A write needs the version that it changes`() async throws {
    let fleet = Fleet()
    let first = try await fleet.set("key", [1], ifVersion: 0, expires: .seconds(60))
    #expect(await fleet.value("key") == first)
    await #expect(throws: FleetError.conflict(first)) {
      try await fleet.set("key", [2], ifVersion: 0, expires: .seconds(60))
    }
    let removed = try await fleet.set("key", nil, ifVersion: first.version, expires: .seconds(60))
    #expect(removed.version > first.version)
    #expect(await fleet.value("key").bytes == nil)
    let large = [UInt8](repeating: 0, count: 65_536)
    #expect(try await fleet.set("key", large, expires: .seconds(60)).bytes == large)
    await #expect(throws: FleetError.tooLarge(limit: 65_536)) {
      try await fleet.set("key", large + [0], expires: .seconds(60))
    }
  }

  @Test func `A value expires, and its version stays the highest`() throws {
    let test = TestFleet()
    let first = try test.set("key", [1], expires: .seconds(10))
    test.clock.advance(by: .seconds(10))
    #expect(try test.value("key") == FleetValue())
    #expect(try test.set("key", [2], expires: .seconds(10)).version > first.version)
  }

  @Test func `A value of an unknown version of the app is ignored and can be replaced`()
    async throws
  {
    var old = Fleet.Options()
    old.appVersion = "1"
    var new = old
    new.appVersion = "2"
    let engine = InProcessEngine()
    let (oldServer, newServer) = (Fleet(engine, options: old), Fleet(engine, options: new))
    let value = try await newServer.set("key", [2], expires: .seconds(60))
    let seen = await oldServer.value("key")
    #expect(seen.bytes == nil && seen.version == value.version)
    try await oldServer.set("key", [1], ifVersion: seen.version, expires: .seconds(60))
    #expect(await newServer.value("key").bytes == nil)
    new.readableVersions = ["1"]
    #expect(await Fleet(engine, options: new).value("key").bytes == [1])
  }

  @Test func `A version of the app that its own values could not name stops`() async throws {
    var options = Fleet.Options()
    options.appVersion = String(repeating: "1", count: 255)
    let fleet = Fleet(options: options)
    try await fleet.set("key", [1], expires: .seconds(60))
    #expect(await fleet.value("key").bytes == [1])
    await #expect(processExitsWith: .failure) {
      var options = Fleet.Options()
      options.appVersion = String(repeating: "1", count: 256)
      _ = Fleet(options: options)
    }
  }

  @Test func `A subscriber gets the newest value, and after lost news at the next check`() throws {
    let test = TestFleet(servers: 2)
    let (seen, reader) = (Seen(), test.servers[1])
    _ = test.start { for await value in reader.values(of: "key") { seen.add(value) } }
    let first = try test.set("key", [1])
    _ = try test.set("key longer", [9])
    #expect(seen.all == [FleetValue(), first])
    test.engines[1].setLosesNews(true)
    let second = try test.set("key", [2])
    test.clock.advance(by: .seconds(29))
    #expect(seen.all.last == first)
    test.clock.advance(by: .seconds(1))
    #expect(seen.all == [FleetValue(), first, second])
    let third = try test.set("key", [3])
    test.engines[1].send(.connected)
    test.executor.drain()
    #expect(seen.all.last == third)
  }

  @Test func `News of more keys than are kept ask to read everything`() async throws {
    let test = TestFleet()
    let fleet = test.fleet
    let news = fleet.news(of: "")
    var iterator = news.makeAsyncIterator()
    // Consumed by hand, because the executor would consume each item at once.
    #expect(try #require(await iterator.next(isolation: nil)) == nil)
    let value = try test.set("key", [1])
    #expect(
      try #require(await iterator.next(isolation: nil) ?? nil) == ("key", value.version))
    for key in 0...1_000 {
      test.engine.send(.changed(key: "key \(key)", version: 1))
    }
    test.executor.drain()
    var count = 0
    while try #require(await iterator.next(isolation: nil)) != nil { count += 1 }
    #expect(count == 999)
  }

  @Test func `Servers share a quota, in any period of its window`() throws {
    let test = TestFleet(servers: 4)
    var grants: [(time: Duration, count: Int)] = []
    var denied = 0
    for step in 0..<1_000 {
      let grant = try test.take(3, by: step % 4)
      #expect((grant.count < 3) == (grant.retryAfter != nil))
      grants.append((test.clock.now.offset, grant.count))
      denied += 3 - grant.count
      test.clock.advance(by: .milliseconds(step % 400))
    }
    for (start, _) in grants {
      let window = grants.filter { $0.time >= start && $0.time < start + .seconds(60) }
      #expect(window.reduce(0) { $0 + $1.count } <= 60)
    }
    // 200 seconds: three windows, of which each is a tenth longer.
    #expect(grants.reduce(0) { $0 + $1.count } >= 60 * 3)
    #expect(test.servers.reduce(0) { $0 + $1.metrics.denied } == denied)
  }

  @Test func `A lease has one holder, and its number refuses the writes of earlier holders`() throws
  {
    let test = TestFleet(servers: 2)
    let first = try #require(try test.lease(by: 0))
    #expect(try test.lease(by: 1) == nil)
    test.clock.advance(by: .seconds(9))
    #expect(try #require(try test.lease(by: 0)) == first)
    test.clock.advance(by: .seconds(10))
    #expect(throws: FleetError.leaseLost) { try test.set("key", [1], lease: first) }
    let second = try #require(try test.lease(by: 1))
    #expect(second.number > first.number)
    try test.run { [servers = test.servers] in await servers[0].release(first) }
    try test.set("key", [2], lease: second, by: 1)
    try test.run { [servers = test.servers] in await servers[1].release(second) }
    #expect(try test.lease(by: 0) != nil)
  }
}
