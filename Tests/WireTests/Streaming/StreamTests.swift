import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite("Responses are read while they arrive", .timeLimit(.minutes(1)))
struct StreamTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nX-Name: seven\r\n\r\n"
  private let get = Request<Data>.get("/x")

  @Test(arguments: TransportUnderTest.allCases)
  func `head and chunks come as they are sent`(transport: TransportUnderTest) async throws {
    let (headWasRead, firstWasRead) = (Gate(), Gate())
    try await withTestServer { exchange in
      try await exchange.write(Self.head)
      await headWasRead.wait()
      try await exchange.write("abc")
      await firstWasRead.wait()
      try await exchange.write("def")
    } _: { server in
      let response = try await transport.client(server).stream(get)
      #expect(response.head.status == .ok)
      #expect(response.head.headerFields[HTTPField.Name("X-Name")!] == "seven")
      #expect(response.length == 6)
      headWasRead.open()
      var chunks: [String] = []
      for try await chunk in response {
        chunks.append(String(decoding: chunk, as: UTF8.self))
        firstWasRead.open()
      }
      #expect(chunks == ["abc", "def"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `dropping a response ends its transfer`(transport: TransportUnderTest) async throws {
    let closed = Gate()
    try await withTestServer { exchange in
      try await exchange.write(Self.head + "abc")
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server)
      for try await chunk in try await client.stream(get) {
        #expect(chunk == Data("abc".utf8))
        break
      }
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `cancelling the reader ends the transfer`(transport: TransportUnderTest) async throws {
    let (reading, closed) = (Gate(), Gate())
    try await withTestServer { exchange in
      try await exchange.write(Self.head + "abc")
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server)
      let task = Task {
        do throws(Client.Error) {
          for try await _ in try await client.stream(get) { reading.open() }
          return "whole"
        } catch {
          return "\(error)"
        }
      }
      await reading.wait()
      task.cancel()
      #expect(await task.value == "cancelled")
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a status that is not accepted is an error`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond(404, [], #"{"message": "none"}"#)
    } _: { server in
      let error = await #expect(throws: Client.Error.self) {
        try await transport.client(server).stream(get)
      }
      guard case .status(let failure) = error else { throw try #require(error) }
      #expect(failure.message == "none")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a body that is cut off is an error`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.write(Self.head + "abc")
      try await exchange.close()
    } _: { server in
      let response = try await transport.client(server).stream(get)
      var iterator = response.makeAsyncIterator()
      #expect(try await iterator.next() == Data("abc".utf8))
      let error = await #expect(throws: Client.Error.self) { _ = try await iterator.next() }
      guard case .transport(let failure) = error else { throw try #require(error) }
      #expect(failure.kind == .lost)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `only the idle limit applies after the head`(transport: TransportUnderTest) async throws {
    let clock = TestClock()
    let (first, second) = (Gate(), Gate())
    try await withTestServer { exchange in
      try await exchange.write(Self.head)
      await first.wait()
      try await exchange.write("abc")
      await second.wait()
    } _: { server in
      let client = try transport.client(server) { $0.clock = clock }
      let response = try await client.stream(get)
      clock.advance(by: .seconds(1_000))
      first.open()
      var iterator = response.makeAsyncIterator()
      #expect(try await iterator.next() == Data("abc".utf8))
      clock.advance(by: .seconds(1_000))
      async let error = #expect(throws: Client.Error.self) {
        var iterator = iterator
        _ = try await iterator.next()
      }
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(30))
      guard case .timeout(let failure) = await error else {
        Issue.record("No timeout")
        return
      }
      #expect(failure.limit == .idle)
      second.open()
    }
  }

  /// Sends 64 MiB while the client does not read, and then reads them.
  @Test(arguments: TransportUnderTest.allCases)
  func `a slow reader slows the server`(transport: TransportUnderTest) async throws {
    let size = 64 << 20
    let sent = Atomic<Int>(0)
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      let chunk = Data(repeating: 7, count: 64 << 10)
      for _ in 0..<(size / chunk.count) {
        try await exchange.write(chunk)
        sent.add(chunk.count, ordering: .relaxed)
      }
    } _: { server in
      let response = try await transport.client(server).stream(get)
      let stalled = try await whenStalled(sent)
      // The buffers of the sockets and the transport.
      #expect(stalled < 24 << 20)
      var count = 0
      for try await chunk in response { count += chunk.count }
      #expect(count == size)
    }
  }

}

/// Returns a count when it has not changed for a while: sockets don't report that they are full.
func whenStalled(_ count: borrowing Atomic<Int>) async throws -> Int {
  var (last, unchanged) = (0, 0)
  while unchanged < 20 || last == 0 {
    try await ContinuousClock().sleep(for: .milliseconds(25))
    let now = count.load(ordering: .relaxed)
    unchanged = now == last ? unchanged + 1 : 0
    last = now
  }
  return last
}
