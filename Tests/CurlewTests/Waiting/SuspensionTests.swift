import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// An app that is suspended in the background while it waits.
@Suite(.timeLimit(.minutes(1)))
struct SuspensionTests {
  private var (clock, stub) = stubOnTestClock()
  private let gate: StubGate

  init() { gate = stub.hold(.get, "/x") }

  /// Returns a client that detects suspensions, as on the system's clocks.
  private func client(_ configure: (inout Client.Configuration) -> Void = { _ in }) -> Client {
    .stubbed(by: stub) {
      $0.suspensionTolerance = .seconds(5)
      configure(&$0)
    }
  }

  private func advance(bySeconds seconds: Int) async {
    for _ in 0..<(seconds / 5) {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
    }
    await clock.waitForSleepers()
  }

  private func suspend() async {
    await clock.waitForSleepers()
    clock.jump(by: .seconds(600))
    clock.advance(by: .zero)
    await clock.waitForSleepers()
  }

  @Test func `a suspension counts for no limit`() async throws {
    let call = client().call(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    await advance(bySeconds: 20)
    await suspend()
    #expect(gate.held.count == 1)
    gate.respond(with: .json("7"))
    #expect(try await call.value.get() == 7)
  }

  @Test func `what was left of a limit is left after it`() async throws {
    let call = client().call(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    await advance(bySeconds: 20)
    await suspend()
    await advance(bySeconds: 5)
    #expect(gate.held.count == 1)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(await call.value.failure?.timeoutFailure?.limit == .firstByte)
  }

  @Test func `a limit that begins after it has its whole time`() async throws {
    let client = client()
    let first = client.call(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    await suspend()
    let second = client.call(Request<Int>.get("/x"))
    await gate.waitForRequests(2)
    await advance(bySeconds: 25)
    #expect(gate.held.count == 2)
    clock.advance(by: .seconds(5))
    for call in [first, second] {
      #expect(await call.value.failure?.timeoutFailure?.limit == .firstByte)
    }
  }

  @Test func `a connection that a suspension has cost is retried at once`() async throws {
    let client = client { $0.middleware = [.retrying()] }
    let call = client.call(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    await clock.waitForSleepers()
    // The error arrives before the timers fire.
    clock.jump(by: .seconds(600))
    gate.respond(with: .failure(Client.TransportFailure(.lost, reason: "suspended")))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(1))
    await gate.waitForRequests(2)
    gate.respond(with: .json("7"))
    #expect(try await call.value.get() == 7)
  }

  @Test func `the time of a test's clock counts whole`() async throws {
    let call = Client.stubbed(by: stub).call(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    clock.advance(by: .seconds(600))
    #expect(await call.value.failure?.timeoutFailure?.limit == .firstByte)
  }
}
