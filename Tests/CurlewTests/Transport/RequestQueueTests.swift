import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct RequestQueueTests {
  private let queue = RequestQueue(limit: 4)
  private let request = OutgoingRequest(
    head: HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/"),
    endpoint: Request<Int>.get("/"))

  private func slots(_ count: Int) async throws -> [RequestQueue.Slot] {
    var slots: [RequestQueue.Slot] = []
    for _ in 0..<count { slots.append(try await queue.slot(of: "a", for: request)) }
    return slots
  }

  private func counts() -> [Int] { [queue.counts(of: "a").running, queue.counts(of: "a").waiting] }

  /// Starts requests that wait; each keeps its slot.
  private func wait(_ count: Int) async -> [Task<RequestQueue.Slot?, Never>] {
    let before = queue.counts(of: "a").waiting
    let tasks = (0..<count).map { _ in Task { try? await queue.slot(of: "a", for: request) } }
    await eventually { queue.counts(of: "a").waiting == before + count }
    return tasks
  }

  @Test func `a shared connection has no limit and its loss brings it back`() async throws {
    var slots = try await slots(1)
    slots[0].connect()
    slots[0].setMultiplexed(true)
    slots += try await self.slots(49)
    #expect(counts() == [50, 0])
    // The host now uses HTTP/1.1.
    slots[0].setMultiplexed(false)
    let waiting = await wait(20)
    for slot in slots.prefix(44) { slot.release() }
    #expect(counts() == [6, 20])
    for slot in slots.dropFirst(44) { slot.release() }
    await eventually { counts() == [4, 16] }
    for task in waiting { task.cancel() }
    for task in waiting { await task.value?.release() }
    #expect(counts() == [0, 0])
  }

  @Test func `a shared connection takes three hundred requests`() async throws {
    var slots = try await slots(1)
    slots[0].connect()
    slots[0].setMultiplexed(true)
    slots += try await self.slots(299)
    let waiting = await wait(1)
    #expect(counts() == [300, 1])
    slots[1].release()
    slots.append(try #require(await waiting[0].value))
    #expect(counts() == [300, 0])
    for slot in slots { slot.release() }
    #expect(counts() == [0, 0])
  }

  /// If each connection serves a hundred requests, the moment between two connections is no failure to connect.
  @Test func `request waits for its turn as long as others get connections`() async throws {
    let first = try await slots(1)[0]
    #expect(!first.waitsForTurn())
    first.connect()
    first.setMultiplexed(true)
    let last = try await slots(1)[0]
    #expect(last.waitsForTurn())
    first.release()
    // No connection is left, and none was made since the last call.
    #expect(!last.waitsForTurn())
    #expect(!last.hasSeenOthersConnect)
    let next = try await slots(1)[0]
    next.connect()
    next.release()
    #expect(last.waitsForTurn())
    #expect(!last.waitsForTurn())
    #expect(last.hasSeenOthersConnect, "since it has its slot")
    last.release()
  }

  @Test func `who waits runs when a connection is shared`() async throws {
    let slots = try await slots(4)
    let waiting = await wait(6)
    slots[0].setMultiplexed(true)
    // The connection is known to be multiplexed, but not connected yet.
    #expect(counts() == [4, 6])
    slots[0].connect()
    #expect(counts() == [10, 0])
    for task in waiting { await task.value?.release() }
    for slot in slots { slot.release() }
    // The queue remembers that the host multiplexes; without a connection, the limit applies.
    let more = try await self.slots(4)
    let last = await wait(1)
    more[0].connect()
    #expect(counts() == [5, 0])
    await last[0].value?.release()
  }
}
