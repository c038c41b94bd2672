import Curlew
import CurlewFleet
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// What parts of Curlew share by their doors, on four servers.
@Suite(.timeLimit(.minutes(1)))
struct FleetDoorTests {
  /// A server with a limit for each window of a minute, which begins with the first request.
  private final class LimitedServer: Sendable {
    private struct State {
      var begin = Duration.zero
      var count = 0
      var accepted = 0
      var refused = 0
    }

    private let clock: TestClock
    private let state = Mutex(State())

    init(_ clock: TestClock) { self.clock = clock }

    var counts: (accepted: Int, refused: Int) { state.withLock { ($0.accepted, $0.refused) } }

    func respond() -> IncomingResponse {
      let now = clock.now.offset
      let (count, reset) = state.withLock { state in
        if state.count == 0 || now >= state.begin + .seconds(60) {
          (state.begin, state.count) = (now, 0)
        }
        state.count += 1
        if state.count > 60 { state.refused += 1 } else { state.accepted += 1 }
        return (state.count, state.begin + .seconds(60) - now)
      }
      var head = HTTPResponse(status: count > 60 ? .tooManyRequests : .ok)
      head.headerFields[HTTPField.Name("RateLimit-Limit")!] = "60"
      head.headerFields[HTTPField.Name("RateLimit-Remaining")!] = "\(max(0, 60 - count))"
      head.headerFields[HTTPField.Name("RateLimit-Reset")!] =
        "\(Int((reset / .seconds(1)).rounded(.up)))"
      return IncomingResponse(head: head, body: ResponseBody(Data("1".utf8)))
    }
  }

  private let test = TestFleet(servers: 4)
  private let get = Request<Int>.get("/number")

  private func stub() -> StubTransport { StubTransport(clock: test.clock) }

  @Test func `Four servers never exceed a quota that they share`() throws {
    let (server, stub) = (LimitedServer(test.clock), stub())
    stub.stub(get, with: .responding { _ in server.respond() })
    let clients = test.servers.map { fleet in
      Client.stubbed(by: stub) {
        ($0.limits.firstByte, $0.limits.total) = (nil, nil)
        $0.networkMiddleware = [.rateBudget(RateBudget(units: fleet.take))]
      }
    }
    let calls = (0..<400).map { number in
      test.start { [get] in try await clients[number % 4].send(get) }
    }
    for _ in 0..<600 where calls.contains(where: { $0.result == nil }) {
      test.clock.advance(by: .seconds(1))
    }
    #expect(server.counts.refused == 0)
    #expect(server.counts.accepted == 400)
    #expect(calls.allSatisfy { (try? $0.result?.get()) == 1 })
    #expect(test.servers.reduce(0) { $0 + $1.metrics.calls } < 400)
  }

  @Test func `A budget without a limit waits for nobody after the first response`() throws {
    let stub = stub()
    stub.stub(get, with: .json("1"))
    let client = Client.stubbed(by: stub) { [fleet = test.fleet] in
      $0.networkMiddleware = [.rateBudget(RateBudget(units: fleet.take))]
    }
    let calls = (0..<20).map { _ in test.start { [get] in try await client.send(get) } }
    #expect(calls.allSatisfy { (try? $0.result?.get()) == 1 })
    #expect(test.fleet.metrics.calls == 0)
  }

  @Test func `A hundred refused requests of four servers cost one refresh`() async throws {
    let stub = stub()
    let refreshes = Mutex(0)
    stub.stub(
      get,
      with: .responding { request in
        let isNew = request.head.headerFields[.authorization] == "Bearer new"
        return IncomingResponse(
          head: HTTPResponse(
            status: isNew ? .ok : .unauthorized,
            headerFields: isNew ? [:] : [.wwwAuthenticate: "Bearer"]),
          body: ResponseBody(Data("1".utf8)))
      })
    let old = BearerToken(access: Sensitive("old"), refresh: Sensitive("r"))
    let clock = test.clock
    let clients = test.servers.map { fleet in
      Client.stubbed(by: stub) {
        $0.middleware = [
          .bearer(
            old,
            refresh: fleet.singleFlight("api") { old in
              refreshes.withLock { $0 += 1 }
              try await clock.sleep(for: .seconds(1))
              return BearerToken(access: Sensitive("new"), refresh: old.refresh)
            })
        ]
      }
    }
    let calls = (0..<100).map { number in
      test.start { [get] in try await clients[number % 4].send(get) }
    }
    // A refresh runs in a task of its own.
    while calls.contains(where: { $0.result == nil }), !Task.isCancelled {
      test.clock.advance(by: .milliseconds(50))
      await Task.yield()
    }
    #expect(calls.allSatisfy { (try? $0.result?.get()) == 1 })
    #expect(refreshes.withLock { $0 } == 1)
  }

  @Test func `A refresh that fails lets the next server try`() throws {
    let refreshes = Mutex(0)
    let refresh: @Sendable (String) async throws -> String? = { _ in
      let count = refreshes.withLock { count in
        count += 1
        return count
      }
      if count == 1 { throw FleetError.timeout }
      return "new"
    }
    let calls = test.servers.map { fleet in
      test.start { try await fleet.singleFlight("api", refresh)("old") }
    }
    test.clock.advance(by: .seconds(1))
    #expect(calls.filter { (try? $0.result?.get()) == "new" }.count == 3)
    #expect(refreshes.withLock { $0 } == 2)
  }

  @Test func `A refresh that outlasts its lease is one for all callers of all servers`() throws {
    let refreshes = Mutex(0)
    let clock = test.clock
    let refresh: @Sendable (String) async throws -> String? = { _ in
      refreshes.withLock { $0 += 1 }
      try await clock.sleep(for: .seconds(70))
      return "new"
    }
    let calls = (0..<4).map { number in
      test.start { [fleet = test.servers[number % 2]] in
        try await fleet.singleFlight("api", refresh)("old")
      }
    }
    test.clock.advance(by: .seconds(71))
    #expect(calls.allSatisfy { (try? $0.result?.get()) == "new" })
    #expect(refreshes.withLock { $0 } == 1)
  }

  @Test func `The token of a server that has lost its lease is stored, and the lease ends`() throws
  {
    let clock = test.clock
    let call = test.start { [fleet = test.fleet] in
      try await fleet.singleFlight("api") { (_: String) -> String? in
        try await clock.sleep(for: .seconds(60))
        return "new"
      }("old")
    }
    test.engine.fault = .refused
    test.clock.advance(by: .seconds(45))
    test.engine.fault = nil
    test.clock.advance(by: .seconds(16))
    #expect(try call.result?.get() == "new")
    #expect(try test.truth("token api").bytes == Array(#""new""#.utf8))
    let lease = try test.run { [fleet = test.servers[1]] in
      await fleet.lease("refresh of token api", for: .seconds(1))
    }
    #expect(lease != nil)
  }

  @Test func `Exchanged texts may be empty`() throws {
    let seen = Texts()
    _ = test.start { [fleet = test.servers[1]] in
      await fleet.exchange("topic", AsyncStream<String> { _ in }) { seen.add($0 ?? "all") }
    }
    _ = test.start { [fleet = test.fleet] in
      await fleet.exchange("topic", AsyncStream<String> { $0.yield("") }) { _ in }
    }
    test.clock.advance(by: .seconds(1))
    #expect(seen.last == "")
  }

  @Test func `After a write, the stores of other servers load its data again`() throws {
    struct Note: Entity, Decodable {
      let id: Int
      var text: String
    }
    let (read, write) = (Request<Note>.get("/notes/1"), Request<Void>.put("/notes/1"))
    let stub = stub()
    stub.stub(
      read, with: .json(#"{"id":1,"text":"old"}"#), .json(#"{"id":1,"text":"old"}"#),
      .json(#"{"id":1,"text":"new"}"#))
    stub.stub(write, with: .status(.noContent))
    let entry = StoreEntry(read, entities: .one(\.self)) { $0 }
    let stores = try test.servers.prefix(2).map { fleet in
      try test.run {
        Store(Client.stubbed(by: stub))
      }
    }
    for (store, fleet) in zip(stores, test.servers) {
      _ = test.start {
        await fleet.exchange("store", store.announcements()) { await store.receive($0) }
      }
    }
    let shown = stores.map { store in
      let texts = Texts()
      _ = test.start {
        for await note in store.values(of: entry) { texts.add(note.latest?.text) }
      }
      return texts
    }
    test.clock.advance(by: .seconds(3))
    #expect(shown.map(\.last) == ["old", "old"])
    let before = stub.requests.count
    _ = test.start {
      try await stores[0].perform(write, queue: "note") { edit in
        edit.update(Note.self, 1) { $0.text = "new" }
      }
    }
    test.clock.advance(by: .seconds(3))
    #expect(shown.map(\.last) == ["new", "new"])
    // The write, and one load of the other server.
    #expect(stub.requests.count == before + 2)
  }

  private final class Texts: Sendable {
    private let texts = Mutex<[String?]>([])
    var last: String? { texts.withLock { $0.last ?? nil } }
    func add(_ text: String?) { texts.withLock { $0.append(text) } }
  }
}
