import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite("A body's framing is believed or refused (RFC 9112 section 6)", .timeLimit(.minutes(1)))
struct MalformedBodyTests {
  // MARK: Transfer codings

  /// Nobody asked for it.
  @Test(arguments: ["gzip, chunked", "deflate, chunked", "x-mine, chunked", "gzip"])
  func otherTransferCodingIsAnError(coding: String) async throws {
    try await TransportUnderTest.asyncHTTPClient.expectFailure(
      of: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(coding)\r\n\r\n4\r\nabcd\r\n0\r\n\r\n"))
  }

  // MARK: Length

  @Test(
    arguments: TransportUnderTest.allCases,
    ["-1", "+4", "4 4", "0x4", "4.0", "four", "", "4;", "٤"])
  func lengthThatIsNoNumberIsAnError(transport: TransportUnderTest, length: String) async throws {
    try await transport.expectFailure(
      of: .text.with(.contentLength(length), .cut(after: .everything)))
  }

  @Test(
    arguments: TransportUnderTest.allCases, ["18446744073709551620", "99999999999999999999999999"])
  func lengthThatNoNumberHoldsIsAnError(
    transport: TransportUnderTest, length: String
  ) async throws {
    try await transport.expectFailure(
      of: .text.with(.contentLength(length), .cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.all(but: .hugeLength))
  func lengthOfEightExbibytesIsNoReasonToReserveThem(transport: TransportUnderTest) async throws {
    let response = StubResponse.text.with(
      .contentLength("9223372036854775807"), .cut(after: .everything))
    let result = try await transport.result(of: response)
    switch result {
    case .failure(.transport), .failure(.tooLarge): break
    default: Issue.record("It was taken: \(result)")
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["4, 5", "5, 4"])
  func listOfDifferentLengthsIsAnError(
    transport: TransportUnderTest, length: String
  ) async throws {
    try await transport.expectFailure(
      of: .text.with(.contentLength(length), .cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases, [3, 5])
  func twoDifferentLengthsAreAnError(transport: TransportUnderTest, other: Int) async throws {
    try await transport.expectFailure(
      of: .text.with(.headLine("Content-Length: \(other)"), .cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func sameLengthTwiceIsThatLengthOrAnError(transport: TransportUnderTest) async throws {
    let result = try await transport.result(of: .text.with(.headLine("Content-Length: 4")))
    switch result {
    case .success(let text): #expect(text == "abcd")
    case .failure(.transport): break
    case .failure(let error): throw error
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func lengthAndChunksAreChunksOrAnError(transport: TransportUnderTest) async throws {
    let result = try await transport.result(
      of: .text.with(.chunked(), .headLine("Content-Length: 2"), .cut(after: .everything)))
    switch result {
    case .success(let text): #expect(text == "abcd")
    case .failure(.transport): break
    case .failure(let error): throw error
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func lengthThatIsTooLongIsAnError(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(of: .text.with(.contentLength(tooLongBy: 1)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bytesBeyondTheLengthAreNoPartOfTheBody(transport: TransportUnderTest) async throws {
    try await transport.expect(.text.with(.contentLength(tooShortBy: 1)), isTakenAs: "abc")
  }

  // MARK: Chunks

  @Test(arguments: TransportUnderTest.allCases, ["xyz", "-4", "0x4", "", " ", "g"])
  func sizeThatIsNoNumberIsAnError(transport: TransportUnderTest, size: String) async throws {
    try await transport.expectFailure(of: .text.with(.brokenChunk(.size(size))))
  }

  @Test(arguments: TransportUnderTest.all(but: .spaceInASize))
  func spaceWithinASizeIsAnError(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(of: .text.with(.brokenChunk(.size("4 4"))))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func sizeThatNoNumberHoldsIsAnError(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(of: .text.with(.hugeChunk))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func chunkOfAGibibyteIsNoReasonToReserveIt(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(of: .text.with(.hugeChunk(announcing: 1 << 30)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func sizeThatIsTooSmallIsAnError(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(of: .text.with(.brokenChunk(.size("3"))))
  }

  @Test(arguments: TransportUnderTest.allCases, [0, 1, 2])
  func missingLineEndOfAChunkIsAnError(transport: TransportUnderTest, index: Int) async throws {
    try await transport.expectFailure(
      of: .text.with(.chunked(every: 1), .brokenChunk(.noLineEnd, at: index)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func missingLastChunkIsAnError(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(of: .text.with(.brokenChunk(.noLastChunk)))
  }

  @Test(arguments: TransportUnderTest.allCases, ["4", "4\r", "4\r\na", "4\r\nabcd\r\n0"])
  func cutWithinTheChunksIsAnError(transport: TransportUnderTest, body: String) async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    try await transport.expectFailure(of: .raw(head + body).with(.cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func missingLastLineEndIsAnErrorOrTheWholeBody(transport: TransportUnderTest) async throws {
    let response = StubResponse.raw(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n")
    let result = try await transport.result(of: response.with(.cut(after: .everything)))
    switch result {
    case .success(let text): #expect(text == "abcd")
    case .failure(.transport): break
    case .failure(let error): throw error
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases, ["4;a", "4;a=b", "4;a=\"b;c\"", "04", "0000000004"])
  func sizeWithExtensionsOrZerosIsFine(transport: TransportUnderTest, size: String) async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    try await transport.expect(
      .raw(head + "\(size)\r\nabcd\r\n0\r\n\r\n"), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func chunksOfOneByteAreFine(transport: TransportUnderTest) async throws {
    try await transport.expect(.text.with(.chunked(every: 1)), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.all(but: .trailerFields))
  func trailersAreNoFieldsOfTheHead(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(
        .get, "/x", with: .text.with(.trailers([.contentType: "text/html", .eTag: "\"a\""])))
      let client = try transport.client(server)
      let response = try await client.response(for: Request<String>.get("/x"))
      #expect(response.value == "abcd")
      #expect(response.head.headerFields[.eTag] == nil)
      #expect(response.head.headerFields[.contentType] == "text/plain")
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .trailerFields))
  func endlessTrailersAreAnError(transport: TransportUnderTest) async throws {
    let result = try await transport.result(of: .text.with(.endless(.trailers)))
    switch result {
    case .failure(.transport), .failure(.tooLarge): break
    default: Issue.record("It was taken: \(result)")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func endlessChunksAreCutOffAtTheLimit(transport: TransportUnderTest) async throws {
    let result = try await transport.result(
      of: .text.with(.chunked(), .endless(.body)), limits: { $0.bodySize = 100_000 })
    guard case .failure(.tooLarge(let failure)) = result else {
      Issue.record("Not too large: \(result)")
      return
    }
    #expect(failure.limit == .bodySize)
  }

  // MARK: Bodies where there are none

  @Test(arguments: TransportUnderTest.allCases, [204, 304])
  func bodyAfterAResponseThatHasNoneIsNoResponse(
    transport: TransportUnderTest, status: Int
  ) async throws {
    let result = try await transport.result(
      of: .raw("HTTP/1.1 \(status) Nothing\r\nContent-Length: 4\r\n\r\nabcd"))
    switch result {
    case .success(let text): #expect(text.isEmpty && status == 204)
    case .failure(.status(let failure)): #expect(failure.response.status.code == status)
    case .failure(.transport): break
    case .failure(let error): throw error
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bodyAfterTheResponseToHeadIsNoResponse(transport: TransportUnderTest) async throws {
    let result = try await transport.result(
      of: .raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd"), .head)
    switch result {
    case .success(let text): #expect(text.isEmpty)
    case .failure(.transport): break
    case .failure(let error): throw error
    }
  }
}
