import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite("Limits of size and time", .timeLimit(.minutes(1)))
struct LimitTests {
  @Test(
    arguments: TransportUnderTest.allCases,
    ["Content-Length: 999999999\r\n\r\n", "Connection: close\r\n\r\n"])
  func bodyOverTheLimitIsCutOffWhileItArrives(
    transport: TransportUnderTest, rest: String
  ) async throws {
    let closed = Gate()
    try await withServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\n" + rest)
      await exchange.writeUntilClosed()
      closed.open()
    } _: { server in
      let client = try transport.client(server) { $0.limits.bodySize = 300_000 }
      let error = try await client.failure(of: Request<Data>.get("/"))
      guard case .tooLarge(let failure) = error else { throw error }
      #expect(failure.limit == 300_000)
      #expect(!error.mayRetryHelp)
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bodyOfExactlyTheLimitIsRead(transport: TransportUnderTest) async throws {
    try await withServer { exchange in
      try await exchange.answer(200, [], Data(repeating: 1, count: 300_000))
    } _: { server in
      let request = Request<Data>.get("/").limits { $0.bodySize = 300_000 }
      let value = try await transport.client(server).send(request)
      #expect(value.count == 300_000)
      let tighter = Request<Data>.get("/").limits { $0.bodySize = 299_999 }
      guard case .tooLarge = try await transport.client(server).failure(of: tighter) else {
        Issue.record("One byte too many was taken.")
        return
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func noFirstByteIsATimeout(transport: TransportUnderTest) async throws {
    let (arrived, closed, clock) = (Gate(), Gate(), TestClock())
    try await withServer { exchange in
      arrived.open()
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server) { $0.clock = clock }
      async let result = client.result(of: Request<Data>.get("/slow"))
      await arrived.wait()
      clock.advance(by: .seconds(30))
      guard case .failure(.timeout(let failure)) = await result else {
        Issue.record("No timeout: \(await result)")
        return
      }
      #expect(failure.limit == .firstByte)
      #expect(failure.duration == .seconds(30))
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases, Way.allCases)
  func bodyThatNeverEndsIsATimeout(transport: TransportUnderTest, way: Way) async throws {
    let (reading, closed, clock) = (Gate(), Gate(), TestClock())
    try await withServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        $0.middleware = [way.middleware { $0.open(reading) }]
      }
      async let result = client.result(of: Request<Data>.get("/slow"))
      await reading.wait()
      // The head is there and some of the body: from now on only the limit of the whole counts.
      clock.advance(by: .seconds(31))
      clock.advance(by: .seconds(29))
      guard case .failure(.timeout(let failure)) = await result else {
        Issue.record("No timeout: \(await result)")
        return
      }
      #expect(failure.limit == .total)
      #expect(failure.duration == .seconds(60))
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func limitOfTheWholeSpansRedirects(transport: TransportUnderTest) async throws {
    let (arrived, clock) = (Gate(), TestClock())
    try await withServer { exchange in
      if exchange.path == "/start" {
        clock.advance(by: .seconds(29))
        try await exchange.answer(302, [("Location", "/slow")])
      } else {
        arrived.open()
        await exchange.closed()
      }
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits.total = .seconds(40)
      }
      async let result = client.result(of: Request<Data>.get("/start"))
      await arrived.wait()
      clock.advance(by: .seconds(11))
      guard case .failure(.timeout(let failure)) = await result else {
        Issue.record("No timeout: \(await result)")
        return
      }
      #expect(failure.limit == .total)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func limitsAreSettablePerEndpoint(transport: TransportUnderTest) async throws {
    let (arrived, clock) = (Gate(), TestClock())
    try await withServer { exchange in
      arrived.open()
      await exchange.closed()
    } _: { server in
      let client = try transport.client(server) { $0.clock = clock }
      let request = Request<Data>.get("/").limits { $0.firstByte = .milliseconds(5) }
      async let result = client.result(of: request)
      await arrived.wait()
      clock.advance(by: .milliseconds(5))
      guard case .failure(.timeout(let failure)) = await result else {
        Issue.record("No timeout: \(await result)")
        return
      }
      #expect(failure.duration == .milliseconds(5))
    }
  }
}
