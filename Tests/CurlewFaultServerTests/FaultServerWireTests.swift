import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// Checks the exact bytes that each fault sends on a connection.
@Suite("Faults on a connection", .timeLimit(.minutes(1)))
struct FaultServerWireTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let response: StubResponse
    let bytes: String
    var end = RawConnection.End.closed

    /// A response of six bytes without custom header fields.
    init(
      _ name: String, _ faults: Fault..., body: String = "abcdef", bytes: String,
      end: RawConnection.End = .closed
    ) {
      self.init(
        name, .sample(Sample(body: Data(body.utf8))).with(faults), bytes: bytes, end: end)
    }

    init(_ name: String, _ response: StubResponse, bytes: String, end: RawConnection.End = .closed)
    {
      testDescription = name
      (self.response, self.bytes, self.end) = (response, bytes, end)
    }
  }

  private static let length = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let other = StubResponse.sample(Sample(status: .accepted, body: Data("xy".utf8)))
  private static let otherBytes = "HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nxy"

  static let ends = [
    Case("no fault", bytes: length + "abcdef"),
    Case("cut in the body", .cut(after: 3), bytes: length + "abc"),
    Case("cut after the head", .cut(after: 0), bytes: length),
    Case("cut in the head", .cut(after: .head(8)), bytes: "HTTP/1.1"),
    Case("cut before the response", .cut(after: .nothing), bytes: ""),
    Case("cut after the response", .cut(after: .everything), bytes: length + "abcdef"),
    Case("cut past the response", .cut(after: 7), bytes: length + "abcdef"),
    Case(
      "cut in a chunk", .chunked(every: 4), .cut(after: 5), bytes: chunked + "4\r\nabcd\r\n2\r\ne"),
    Case("the earliest end counts", .cut(after: 5), .reset(after: 9), bytes: length + "abcde"),
    Case("reset before the response", .reset(after: .nothing), bytes: "", end: .reset),
    Case("an error for a response", .failure(CancellationError()), bytes: "", end: .reset),
  ]

  static let lengths = [
    Case(
      "length too long", .contentLength(tooLongBy: 2), bytes: head("Content-Length: 8") + "abcdef"),
    Case(
      "length too short", .contentLength(tooShortBy: 2), bytes: head("Content-Length: 4") + "abcdef"
    ),
    Case("extra bytes", .extraBytes("!?"), bytes: length + "abcdef!?"),
    Case("close-delimited", .closeDelimited, bytes: head("Connection: close") + "abcdef"),
  ]

  static let chunks = [
    Case("one chunk", .chunked(), bytes: chunked + "6\r\nabcdef\r\n0\r\n\r\n"),
    Case(
      "chunks", .chunked(every: 4), bytes: chunked + "4\r\nabcd\r\n2\r\nef\r\n0\r\n\r\n"),
    Case("no chunks", .chunked(), body: "", bytes: chunked + "0\r\n\r\n"),
    Case(
      "trailers", .trailers([.eTag: "\"a\"", .age: "1"]),
      bytes: head("Transfer-Encoding: chunked\r\nTrailer: ETag, Age")
        + "6\r\nabcdef\r\n0\r\nETag: \"a\"\r\nAge: 1\r\n\r\n"),
  ]

  static let heads = [
    Case(
      "interim responses", .interim(100), .interim(102), .interim(103, [.vary: "a"]),
      bytes: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
        + "HTTP/1.1 103 Early Hints\r\nVary: a\r\n\r\n" + length + "abcdef"),
    Case(
      "cut in the head after an interim response", .interim(100), .cut(after: .head(4)),
      bytes: "HTTP/1.1 100 Continue\r\n\r\nHTTP"),
    Case(
      "a status line", .statusLine("ICY 200"),
      bytes: "ICY 200\r\nContent-Length: 6\r\n\r\nabcdef"),
    Case(
      "a head line", .headLine("no colon"),
      bytes: head("Content-Length: 6\r\nno colon") + "abcdef"),
    Case("raw", .raw("a\r\n\r\nbc").with(.cut(after: 1)), bytes: "a\r\n\r\nb"),
    Case("raw in its head", .raw("ab\r\n\r\nc").with(.cut(after: .head(1))), bytes: "a"),
  ]

  static let others = [
    Case("another response after it", .followed(by: other), bytes: length + "abcdef" + otherBytes),
    Case(
      "nothing follows a cut", .cut(after: 1), .followed(by: other), bytes: length + "a"),
    Case(
      "faults of another response", .followed(by: other.with(.chunked(), .interim(102))),
      bytes: length + "abcdefHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 202 Accepted\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n0\r\n\r\n"),
  ]

  private static func head(_ fields: String) -> String {
    "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n"
  }

  @Test(arguments: ends + lengths + chunks + heads + others)
  func `bytes are as the fault says`(one: Case) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: one.response)
      let (text, end) = try await withConnection(to: server) { connection in
        try await connection.send("GET /x HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
        return await connection.rest()
      }
      #expect(text == one.bytes)
      #expect(end == one.end)
      await server.waitForClosedConnections(1)
      #expect(server.connections.first?.closedBy == .server)
    }
  }

  @Test func `reset comes after the bytes before it`() async throws {
    let clock = TestClock()
    try await withFaultServer(clock: clock) { server in
      // The pause gives the client time to read: a reset discards unread bytes.
      server.stub(
        .get, "/x",
        with: .sample(Sample(body: Data("abcdef".utf8)))
          .with(.pause(.seconds(1), after: 3), .reset(after: 3)))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        #expect(try await connection.receives(Self.length + "abc"))
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        let rest = await connection.rest()
        #expect(rest.text == "" && rest.end == .reset)
      }
    }
  }

  @Test func `body is left out where there is none`() async throws {
    try await withFaultServer { server in
      server.stub(.head, "/x", with: .json("{}").with(.chunked()))
      server.stub(.get, "/x", with: .status(.noContent), .status(.notModified, [.eTag: "\"a\""]))
      try await withConnection(to: server) { connection in
        try await connection.send("HEAD /x HTTP/1.1\r\n\r\n")
        #expect(
          try await connection.receives(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n"))
        try await connection.ask()
        #expect(try await connection.receives("HTTP/1.1 204 No Content\r\n\r\n"))
        try await connection.ask()
        #expect(
          try await connection.receives("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"))
      }
    }
  }

  @Test func `many megabytes come in one chunk before a cut`() async throws {
    let size = 8 << 20
    try await withFaultServer { server in
      server.stub(
        .get, "/x",
        with: .sample(Sample(body: Data(repeating: 97, count: size)))
          .with(.chunked(), .cut(after: .body(size - 1))))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        #expect(try await connection.receives(Self.chunked + "800000\r\n"))
        #expect(await connection.rest().text.utf8.count == size - 1)
      }
    }
  }

  @Test func `silence leaves the connection open until the client closes`() async throws {
    try await withFaultServer { server in
      server.stub(
        .get, "/x", with: .json("1").with(.noResponse),
        .sample(Sample(body: Data("ab".utf8))).with(
          .contentLength(tooLongBy: 1), .silence(after: .everything)))
      try await withConnection(to: server) { connection in
        try await connection.ask()
        await server.waitForRequests(1)
      }
      await server.waitForResponses(1)
      try await withConnection(to: server) { connection in
        try await connection.ask()
        #expect(
          try await connection.receives("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"))
        #expect(server.openConnections == 1)
      }
      await server.waitForClosedConnections(2)
      #expect(server.connections.map(\.closedBy) == [.client, .client])
    }
  }
}
