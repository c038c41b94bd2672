import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CancellationTests {
  private var (clock, stub) = stubOnTestClock()
  private let client: Client

  init() {
    client = .stubbed(by: stub)
  }

  @Test func `cancelling the task stops the transfer`() async {
    let gate = stub.hold(.get, "/x")
    let task = client.call(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
    #expect(gate.cancelled == 1)
    #expect(gate.held.isEmpty)
  }

  @Test func `a cancelled task sends nothing`() async {
    let task = Task { [client] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await client.result(of: Request<Int>.get("/x"))
    }
    #expect(await task.value.failure?.isCancelled == true)
    #expect(stub.requests.isEmpty)
  }

  @Test func `cancelling while the body arrives stops it`() async {
    let chunks = StubGate()
    stub.stub(.get, "/x", with: .body(heldBy: chunks, piece: Data("1".utf8)))
    let task = client.call(Request<Int>.get("/x"))
    await chunks.waitForRequests(1)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
    #expect(chunks.cancelled == 1)
  }

  @Test func `whatever the transport throws after a cancellation is cancelled`() async {
    struct ConnectionClosed: Error {}
    let gate = StubGate()
    stub.stub(
      .get, "/x",
      with: .responding { _ in
        await gate.waitForRequests(1)
        throw ConnectionClosed()
      })
    let task = client.call(Request<Int>.get("/x"))
    await stub.waitForRequests(1)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
  }

  @Test func `cancelling one request leaves the others`() async throws {
    let gate = stub.hold(.get, "/**")
    let first = client.call(Request<Int>.get("/a"))
    await gate.waitForRequests(1)
    async let second = client.result(of: Request<Int>.get("/b"))
    await gate.waitForRequests(2)
    first.cancel()
    #expect(await first.value.failure?.isCancelled == true)
    gate.respond(with: .json("2"))
    #expect(try await second.get() == 2)
  }
}
