import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StubGateTests {
  private let stub = StubTransport(clock: TestClock())
  private let client: Client

  init() { client = .stubbed(by: stub) }

  private func start(_ path: Path) -> Task<Result<Int, Client.Error>, Never> {
    Task { [client] in await client.result(of: Request<Int>.get(path)) }
  }

  @Test func `a request is held until it is answered`() async throws {
    let gate = stub.hold(Request<Int>.get("/a"))
    let task = start("/a")
    await gate.waitForRequests(1)
    #expect(gate.held.map(\.head.path) == ["/a"])
    gate.respond(with: .json("1"))
    #expect(try await task.value.get() == 1)
    #expect(gate.held.isEmpty && gate.cancelled == 0)
  }

  @Test func `the oldest is answered first or the newest`() async throws {
    let gate = stub.hold(.get, "/*")
    let a = start("/a")
    await gate.waitForRequests(1)
    let b = start("/b")
    await gate.waitForRequests(2)
    let c = start("/c")
    await gate.waitForRequests(3)
    gate.respondToNewest(with: .json("3"))
    #expect(try await c.value.get() == 3)
    gate.respond(with: .json("1"))
    #expect(try await a.value.get() == 1)
    gate.respond(with: .status(.notFound))
    guard case .failure(let error) = await b.value else {
      Issue.record("An error was expected.")
      return
    }
    #expect(error.status == .notFound)
  }

  @Test func `a response that comes first is kept`() async throws {
    let gate = stub.hold(.get, "/a")
    gate.respond(with: .json("1"))
    gate.respondToNewest(with: .json("2"))
    #expect(try await start("/a").value.get() == 1)
    #expect(try await start("/a").value.get() == 2)
  }

  @Test func `all are answered and those that come`() async throws {
    let gate = stub.hold(.get, "/*")
    let tasks = [start("/a"), start("/b")]
    await gate.waitForRequests(2)
    gate.respondToAll(with: .json("1"))
    for task in tasks { #expect(try await task.value.get() == 1) }
    #expect(try await start("/c").value.get() == 1)
  }

  @Test func `a held request is cancelled at once and the others stay`() async throws {
    let gate = stub.hold(.get, "/*")
    let a = start("/a")
    await gate.waitForRequests(1)
    let b = start("/b")
    await gate.waitForRequests(2)
    a.cancel()
    #expect(await a.value.failure?.isCancelled == true)
    await gate.waitForCancellations(1)
    #expect(gate.held.map(\.head.path) == ["/b"])
    gate.respond(with: .json("2"))
    #expect(try await b.value.get() == 2)
  }

  @Test func `a response may be one of a sequence`() async throws {
    let gate = StubGate()
    stub.stub(.get, "/a", with: .json("1"), .held(by: gate))
    #expect(try await start("/a").value.get() == 1)
    let second = start("/a")
    await gate.waitForRequests(1)
    gate.respond(with: .json("2"))
    #expect(try await second.value.get() == 2)
  }

  @Test func `cancelling at any moment ends the request`() async {
    let gate = stub.hold(.get, "/*")
    // Without waiting, so that cancellations come before, during or after the requests' registration. All at once,
    // because sequential requests would each wait for the turns of other tests.
    let early = (1...250).map { _ in
      let task = start("/a")
      task.cancel()
      return task
    }
    let late = (1...250).map { _ in start("/a") }
    for task in late { task.cancel() }
    for task in early + late {
      #expect(await task.value.failure?.isCancelled == true)
    }
    #expect(gate.held.isEmpty)
  }

  @Test func `waiting ends with its task`() async {
    let gate = stub.hold(.get, "/*")
    let waiting = Task { await gate.waitForRequests(1) }
    waiting.cancel()
    await waiting.value
    await stub.waitForRequests(0)
  }
}
