import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Responses are believed or refused (RFC 9112)", .timeLimit(.minutes(1)))
struct ResponseCaseTests {
  @Test(arguments: ResponseCase.runs)
  func `response is taken as it may be`(transport: TransportUnderTest, one: ResponseCase)
    async throws
  {
    switch try await transport.result(of: one.response, one.method) {
    case .success(let text): #expect(text == one.text)
    case .failure(.status(let failure)): #expect(failure.response.status.code == one.status)
    case .failure(.tooLarge(let failure)): #expect(one.mayBeTooLarge, "\(failure)")
    case .failure(.transport(let failure)):
      #expect(one.kinds.contains(failure.kind), "\(failure)")
      #expect(!failure.reason.isEmpty)
      if transport == .asyncHTTPClient, let reason = one.reason {
        #expect(failure.reason == reason)
      }
    case .failure(let error): throw error
    }
  }

  /// The client did not request these transfer codings.
  @Test(arguments: ["gzip, chunked", "deflate, chunked", "x-mine, chunked", "gzip"])
  func `other transfer coding is an error`(coding: String) async throws {
    let result = try await TransportUnderTest.asyncHTTPClient.result(
      of: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"))
    #expect(result.failure?.transportFailure != nil)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `endless chunks are cut off at the limit`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "4000\r\n\(String(repeating: "a", count: 0x4000))\r\n"
      while (try? await exchange.write(chunk)) != nil {}
    } _: { server in
      let client = try transport.client(server) { $0.limits.bodySize = 100_000 }
      let result = await client.result(of: Request<Data>.get("/"))
      let failure = try #require(result.failure?.tooLarge)
      #expect(failure.limit == .bodySize)
      await server.waitForClosedConnections(1)
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .trailerFields))
  func `endless trailers are an error`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.write(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n")
      let fields = String(repeating: "X-Endless: aaaaaaaaaa\r\n", count: 1_000)
      while (try? await exchange.write(fields)) != nil {}
    } _: { server in
      _ = try await transport.client(server).failure(of: Request<Data>.get("/"))
      await server.waitForClosedConnections(1)
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .trailerFields))
  func `trailers are no fields of the head`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(
        .get, "/x", with: .text.with(.trailers([.contentType: "text/html", .eTag: "\"a\""])))
      let client = try transport.client(server)
      for _ in 0..<2 {
        let response = try await client.response(for: Request<String>.get("/x"))
        #expect(response.value == "abcd")
        #expect(response.head.headerFields[.eTag] == nil)
        #expect(response.head.headerFields[.contentType] == "text/plain")
        #expect(response.trailers == [.contentType: "text/html", .eTag: "\"a\""])
        let stream = try await client.stream(Request<String>.get("/x"))
        for try await _ in stream {}
        #expect(stream.trailers?[.eTag] == "\"a\"")
      }
      #expect(server.connections.count == 1)
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .trailerFields), ["abcd", ""])
  func `length in the trailers is ignored`(transport: TransportUnderTest, text: String) async throws
  {
    try await withFaultServer { server in
      let response = StubResponse.text(text).with(.trailers([.contentLength: "9", .eTag: "\"a\""]))
      server.stub(.get, "/x", with: response)
      let client = try transport.client(server)
      for _ in 0..<2 { #expect(try await client.send(Request<String>.get("/x")) == text) }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `response in single bytes is fine`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      for byte in "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd".utf8 {
        try await exchange.write(Data([byte]))
      }
    } _: { server in
      let text = try await transport.client(server).send(Request<String>.get("/"))
      #expect(text == "abcd")
    }
  }

  /// An endless status line, or endless interim responses.
  @Test(
    arguments: TransportUnderTest.allCases,
    [("HTTP/1.1 200 ", "OOOOOOOOOO"), ("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")])
  func `endless head ends when its time is up`(
    transport: TransportUnderTest, head: (start: String, piece: String)
  ) async throws {
    let clock = TestClock()
    try await withTestServer { exchange in
      try await exchange.write(head.start)
      let piece = String(repeating: head.piece, count: 1_000)
      while (try? await exchange.write(piece)) != nil {}
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        ($0.limits.connect, $0.limits.total) = (nil, nil)
      }
      let request = Request<Data>.get("/")
      let result = await client.result(of: request, advancing: clock, by: .seconds(30)) {
        await server.waitForRequests(1)
      }
      switch result {
      case .failure(.timeout(let failure)): #expect(failure.limit == .firstByte)
      case .failure(.tooLarge(let failure)): #expect(failure.limit == .headerSize)
      case .failure(.transport): break
      default: Issue.record("It was taken: \(result)")
      }
      await server.waitForClosedConnections(1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [false, true])
  func `endless header is refused`(transport: TransportUnderTest, isOneName: Bool) async throws {
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\n")
      let piece = String(repeating: "a", count: 1_000)
      for number in 0... {
        let field = isOneName ? piece : "X-Endless-\(number): \(piece)\r\n"
        guard (try? await exchange.write(field)) != nil else { return }
      }
    } _: { server in
      let error = try await transport.client(server).failure(of: Request<Data>.get("/"))
      #expect(error.tooLarge?.limit == .headerSize, "\(error)")
      #expect("\(error)".contains("the header exceeds the limit of "))
    }
  }
}
