import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite("Time on a connection", .timeLimit(.minutes(1)))
struct FaultServerTimeTests {
  private let clock = TestClock()
  private let head = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"

  private func response(_ faults: Fault...) -> StubResponse {
    .sample(Sample(body: Data("abcdef".utf8))).with(faults)
  }

  /// Advances the clock once the server sleeps, and checks that it slept for exactly this duration.
  private func pass(_ duration: Duration) async {
    await clock.waitForSleepers()
    clock.advance(by: duration - .milliseconds(1))
    #expect(clock.sleepers == 1)
    clock.advance(by: .milliseconds(1))
  }

  @Test func `pauses are where they are said to be`() async throws {
    try await withFaultServer(clock: clock) { server in
      server.stub(
        .get, "/x",
        with: response(
          .pause(.seconds(3), after: 5), .pause(.seconds(1)), .pause(.seconds(2), after: .head(4)),
          .pause(.seconds(4), after: .everything), .followed(by: .raw("!"))))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        await pass(.seconds(1))
        #expect(try await connection.receives("HTTP"))
        await pass(.seconds(2))
        #expect(try await connection.receives(String(head.dropFirst(4)) + "abcde"))
        await pass(.seconds(3))
        #expect(try await connection.receives("f"))
        await pass(.seconds(4))
        #expect(try await connection.receives("!"))
      }
    }
  }

  @Test func `slow body comes in pieces of a tenth of a second`() async throws {
    try await withFaultServer(clock: clock) { server in
      server.stub(.get, "/x", with: response(.slow(bytesPerSecond: 20)))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        #expect(try await connection.receives(head))
        for piece in ["ab", "cd", "ef"] {
          await pass(.milliseconds(100))
          #expect(try await connection.receives(piece))
        }
        await server.waitForResponses(1)
        #expect(clock.now.offset == .milliseconds(300))
      }
    }
  }

  @Test func `a whole response trickles`() async throws {
    try await withFaultServer(clock: clock) { server in
      server.stub(.get, "/x", with: response(.slow(bytesPerSecond: 2, from: .nothing)))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        for byte in (head + "abcdef").utf8 {
          await pass(.milliseconds(500))
          #expect(try await connection.receives(String(UnicodeScalar(byte))))
        }
      }
    }
  }

  @Test func `a clock that jumps brings all that is due`() async throws {
    try await withFaultServer(clock: clock) { server in
      server.stub(
        .get, "/x", with: response(.slow(bytesPerSecond: 1), .pause(.seconds(2), after: 3)))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(8))
        #expect(try await connection.receives(head + "abcdef"))
      }
    }
  }

  @Test func `a delay comes before the response`() async throws {
    try await withFaultServer(clock: clock) { server in
      server.stub(.get, "/x", with: response().after(.seconds(5)))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        await pass(.seconds(5))
        #expect(try await connection.receives(head + "abcdef"))
      }
    }
  }

  @Test func `a client that leaves ends the pause`() async throws {
    try await withFaultServer(clock: clock) { server in
      server.stub(.get, "/x", with: response(.pause(.seconds(1))))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        await clock.waitForSleepers()
      }
      await server.waitForResponses(1)
      #expect(clock.sleepers == 0)
    }
  }

  @Test func `nothing is left running`() async throws {
    let server = try await withFaultServer(clock: clock) { server in
      server.stub(.get, "/pause", with: response(.pause(.seconds(1))))
      server.stub(.get, "/silence", with: response(.noResponse))
      server.handle(.get, "/held") { await $0.closed() }
      let gate = server.hold(.get, "/gate")
      for path in ["/pause", "/silence", "/held", "/gate"] {
        Task {
          try await withConnection(to: server) { connection in
            try await connection.ask(path)
            _ = await connection.rest()
          }
        }
      }
      await server.waitForRequests(4)
      await gate.waitForRequests(1)
      await clock.waitForSleepers()
      #expect(server.openConnections == 4)
      return server
    }
    #expect(clock.sleepers == 0)
    #expect(server.openConnections == 0)
    #expect(server.connections.map(\.closedBy) == [.server, .server, .server, .server])
    await #expect(throws: (any Error).self) { try await withConnection(to: server) { _ in } }
  }
}
