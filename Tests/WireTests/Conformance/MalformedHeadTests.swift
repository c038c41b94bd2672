import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("A malformed head is an error (RFC 9112 sections 4 and 5)", .timeLimit(.minutes(1)))
struct MalformedHeadTests {
  @Test(
    arguments: TransportUnderTest.allCases,
    ["ICY 200 OK", "HTTP/1.1", "HTTP/1.1 OK 200", "HTTP/1.1 2x0 OK", "200 OK", "<html>"])
  func statusLineOfAnotherProtocolIsAnError(
    transport: TransportUnderTest, line: String
  ) async throws {
    try await transport.expectFailure(
      of: .text.with(.statusLine(line), .cut(after: .everything)))
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    ["HTTP/1.1 2000 OK", "HTTP/1.1 -200 OK", "HTTP/1.1 200200200200200200200 OK"])
  func statusOfOtherThanThreeDigitsIsAnError(
    transport: TransportUnderTest, line: String
  ) async throws {
    try await transport.expectFailure(
      of: .text.with(.statusLine(line), .cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases, ["000", "2", "20", "099"])
  func statusBelow100IsAnError(transport: TransportUnderTest, status: String) async throws {
    try await transport.expectFailure(
      of: .text.with(.statusLine("HTTP/1.1 \(status) OK"), .cut(after: .everything)))
  }

  @Test(
    arguments: TransportUnderTest.allCases, ["HTTP/1.1 200 ", "HTTP/1.1 200 Größe"])
  func reasonPhraseMeansNothing(transport: TransportUnderTest, line: String) async throws {
    try await transport.expect(.text.with(.statusLine(line)), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.all(but: .bareStatusLine))
  func spaceBeforeAReasonPhraseMayBeMissing(transport: TransportUnderTest) async throws {
    try await transport.expect(.text.with(.statusLine("HTTP/1.1 200")), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func longReasonPhraseMeansNothing(transport: TransportUnderTest) async throws {
    let line = "HTTP/1.1 200 " + String(repeating: "O", count: 2_000) + "K"
    try await transport.expect(.text.with(.statusLine(line)), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases, ["no colon", "Two Words: 1", ": 1", "X\u{0}Y: 1"])
  func lineThatIsNoFieldIsAnError(transport: TransportUnderTest, line: String) async throws {
    try await transport.expectFailure(
      of: .text.with(.headLine(line), .cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func spaceBeforeTheColonIsAnError(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(
      of: .text.with(.headLine("X-A : 1"), .cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func zeroByteInAValueIsAnError(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(
      of: .text.with(.headLine("X-A: a\u{0}b"), .cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func foldedLineIsOneValueOrAnError(transport: TransportUnderTest) async throws {
    let result = try await transport.result(
      of: .text.with(.headLine("X-A: a\r\n b"), .cut(after: .everything)))
    switch result {
    case .success(let text): #expect(text == "abcd")
    case .failure(.transport): break
    case .failure(let error): throw error
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func fieldWithoutAValueIsFine(transport: TransportUnderTest) async throws {
    try await transport.expect(.text.with(.headLine("X-A:")), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func hundredFieldsAreFine(transport: TransportUnderTest) async throws {
    let lines = (1...100).map { Fault.headLine("X-\($0): \($0)") }
    try await transport.expect(.text.with(lines), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func headInSingleBytesIsFine(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      for byte in "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd".utf8 {
        try await exchange.write(Data([byte]))
      }
    } _: { server in
      let text = try await transport.client(server).send(Request<String>.get("/"))
      #expect(text == "abcd")
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      "garbage", "\r\n", "\r\n\r\n\r\n", "\n", "\u{0}\u{0}\u{0}\u{0}\u{0}", "{\"a\": 1}",
      "HTTP/", "HTTP/1.1 ", "SSH-2.0-OpenSSH_9.6\r\n", "220 smtp ready\r\n",
    ])
  func whatIsNoResponseIsAnError(transport: TransportUnderTest, text: String) async throws {
    try await transport.expectFailure(of: .raw(text).with(.cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bytesOfTLSAreAnError(transport: TransportUnderTest) async throws {
    let alert = Data([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46])
    try await transport.expectFailure(of: .raw(alert).with(.cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func framesOfHTTP2AreAnError(transport: TransportUnderTest) async throws {
    let settings = Data([0, 0, 0, 4, 0, 0, 0, 0, 0])
    try await transport.expectFailure(of: .raw(settings).with(.cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func linesThatEndWithoutCarriageReturnAreReadOrAnError(
    transport: TransportUnderTest
  ) async throws {
    let result = try await transport.result(
      of: .raw("HTTP/1.1 200 OK\nContent-Length: 4\n\nabcd").with(.cut(after: .everything)))
    switch result {
    case .success(let text): #expect(text == "abcd")
    case .failure(.transport): break
    case .failure(let error): throw error
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func endlessStatusLineIsAnErrorAtTheLatestWhenTimeIsUp(
    transport: TransportUnderTest
  ) async throws {
    let (clock, ended) = (TestClock(), Gate())
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 ")
      let piece = String(repeating: "O", count: 10_000)
      while (try? await exchange.write(piece)) != nil {}
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits.connect = nil
      }
      let request = Task {
        defer { ended.open() }
        return await client.result(of: Request<Data>.get("/").limits { $0.total = nil })
      }
      await server.waitForRequests(1)
      await clock.advance(by: .seconds(30), until: ended)
      switch await request.value {
      case .failure(.timeout(let failure)): #expect(failure.limit == .firstByte)
      case .failure(.tooLarge(let failure)): #expect(failure.limit == .headerSize)
      case .failure(.transport): break
      case let result: Issue.record("It was taken: \(result)")
      }
      await server.waitForClosedConnections(1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func endlessNameOfAFieldIsAnError(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\n")
      let piece = String(repeating: "X", count: 10_000)
      while (try? await exchange.write(piece)) != nil {}
    } _: { server in
      let error = try await transport.client(server).failure(of: Request<Data>.get("/"))
      switch error {
      case .tooLarge(let failure): #expect(failure.limit == .headerSize)
      case .transport: break
      default: throw error
      }
    }
  }
}
