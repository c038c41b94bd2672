import Curlew
import CurlewFaultServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Whole for HTTP, but not what their coding says.
@Suite("A body that does not match its coding is an error", .timeLimit(.minutes(1)))
struct ContentCodingDamageTests {
  /// Expects an error of the transport; on our own decoder, one that says so much.
  private func expectFailure(
    _ transport: TransportUnderTest, coding: String, _ body: Data, saying text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withTestServer { exchange in
      let framing: Framing = exchange.path == "/chunked" ? .chunked : .length
      try await exchange.respond(coding: coding, body, framing)
    } _: { server in
      for path in ["/", "/chunked"] as [Path] {
        let result = await (try transport.client(server)).result(of: Request<Data>.get(path))
        guard case .failure(.transport(let failure)) = result else {
          Issue.record("It is no success: \(result)", sourceLocation: sourceLocation)
          return
        }
        if transport == .asyncHTTPClient {
          #expect(failure.reason.contains(text), sourceLocation: sourceLocation)
        }
      }
    }
  }

  enum Cut: CaseIterable {
    case inHeader, inData, beforeChecksum, inChecksum

    func applied(to body: Data, _ coded: Coded) -> Data {
      switch self {
      case .inHeader: body.prefix(1)
      case .inData: body.prefix(body.count / 2)
      case .beforeChecksum: body.dropLast(coded.checksumLength)
      case .inChecksum: body.dropLast()
      }
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .cutCoding), Coded.allCases)
  func cutBodyIsAnError(transport: TransportUnderTest, coded: Coded) async throws {
    let body = try coded.body(of: Sample.lines(1_000))
    for cut in Cut.allCases where cut != .beforeChecksum || coded.checksumLength > 0 {
      try await expectFailure(
        transport, coding: coded.name, cut.applied(to: body, coded),
        saying: "content coding (\(coded.name)) is cut off")
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [1, 5, 15, 25])
  func cutWithinALaterMemberIsAnError(transport: TransportUnderTest, count: Int) async throws {
    let member = try Coded.gzip.body(of: Sample.text)
    try await expectFailure(
      transport, coding: "gzip", member + member.prefix(count),
      saying: "content coding (gzip) is cut off")
  }

  @Test(arguments: TransportUnderTest.all(but: .cutCoding), [true, false])
  func cutWithinOneOfSeveralCodingsIsAnError(
    transport: TransportUnderTest, isInner: Bool
  ) async throws {
    let inner = try Coded.zlib.body(of: Sample.text)
    let body = try Coded.gzip.body(of: isInner ? inner.dropLast() : inner)
    try await expectFailure(
      transport, coding: "deflate, gzip", isInner ? body : body.dropLast(),
      saying: "content coding (\(isInner ? "deflate" : "gzip")) is cut off")
  }

  @Test(arguments: TransportUnderTest.allCases, 1...8)
  func damagedChecksumOrLengthOfGzipIsAnError(
    transport: TransportUnderTest, place: Int
  ) async throws {
    var body = try Coded.gzip.body(of: Sample.text)
    body[body.count - place] ^= 1
    try await expectFailure(
      transport, coding: "gzip", body,
      saying: place > 4 ? "(gzip) is damaged (incorrect data check)" : "incorrect length check")
  }

  @Test(arguments: TransportUnderTest.allCases, 1...4)
  func damagedChecksumOfZlibIsAnError(transport: TransportUnderTest, place: Int) async throws {
    var body = try Coded.zlib.body(of: Sample.text)
    body[body.count - place] ^= 1
    try await expectFailure(
      transport, coding: "deflate", body, saying: "(deflate) is damaged (incorrect data check)")
  }

  @Test(arguments: TransportUnderTest.allCases, [Coded.gzip, .zlib])
  func damagedDataIsAnError(transport: TransportUnderTest, coded: Coded) async throws {
    var body = try coded.body(of: Sample.lines(1_000))
    for place in body.count / 3..<body.count / 3 + 20 { body[place] = 0xFF }
    try await expectFailure(
      transport, coding: coded.name, body, saying: "(\(coded.name)) is damaged")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func wrongChecksumOfTheHeaderIsAnError(transport: TransportUnderTest) async throws {
    let plain = try Coded.gzip.body(of: Sample.text)
    let header: [UInt8] = [0x1F, 0x8B, 8, 0b10, 0, 0, 0, 0, 0, 3, 0xBA, 0xD0]
    try await expectFailure(
      transport, coding: "gzip", Data(header) + plain.dropFirst(10), saying: "(gzip) is damaged")
  }

  @Test(arguments: TransportUnderTest.allCases, [Coded.gzip, .zlib])
  func bytesAfterTheCodingAreAnError(
    transport: TransportUnderTest, coded: Coded
  ) async throws {
    try await expectFailureOfBytesAfterTheCoding(transport, coded)
  }

  @Test(arguments: TransportUnderTest.all(but: .bytesAfterBareDeflate))
  func bytesAfterBareDeflateAreAnError(transport: TransportUnderTest) async throws {
    try await expectFailureOfBytesAfterTheCoding(transport, .bareDeflate)
  }

  private func expectFailureOfBytesAfterTheCoding(
    _ transport: TransportUnderTest, _ coded: Coded
  ) async throws {
    let body = try coded.body(of: Sample.text)
    for bytes in ["\n", "\0\0\0\0", "more"] {
      try await expectFailure(
        transport, coding: coded.name, body + Data(bytes.utf8),
        saying: "(\(coded.name)) has data after its end")
    }
    // It could have been another member.
    try await expectFailure(
      transport, coding: coded.name, body + Data("\u{1F}?".utf8),
      saying: coded == .gzip ? "is damaged (incorrect header check)" : "has data after its end")
  }

  enum Mislabelled: String, CaseIterable {
    case textAsGzip, textAsDeflate, gzipAsDeflate, bareDeflateAsGzip

    var coding: String { rawValue.hasSuffix("Gzip") ? "gzip" : "deflate" }

    func body() throws -> Data {
      switch self {
      case .textAsGzip, .textAsDeflate: Data(Sample.text.utf8)
      case .gzipAsDeflate: try Coded.gzip.body(of: Sample.text)
      case .bareDeflateAsGzip: try Coded.bareDeflate.body(of: Sample.text)
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases, Mislabelled.allCases)
  func mislabelledBodyIsAnError(
    transport: TransportUnderTest, mislabelled: Mislabelled
  ) async throws {
    try await expectFailure(
      transport, coding: mislabelled.coding, try mislabelled.body(),
      saying: "content coding (\(mislabelled.coding)) is ")
  }

  @Test(arguments: TransportUnderTest.all(but: .zlibAsGzip))
  func zlibThatIsCalledGzipIsAnError(transport: TransportUnderTest) async throws {
    try await expectFailure(
      transport, coding: "gzip", try Coded.zlib.body(of: Sample.text),
      saying: "(gzip) is damaged (incorrect header check)")
  }

  @Test(arguments: TransportUnderTest.all(but: .cutCoding), ["gzip", "deflate"])
  func aDigitThatIsCalledCodedIsAnError(
    transport: TransportUnderTest, coding: String
  ) async throws {
    try await expectFailure(
      transport, coding: coding, Data("1".utf8), saying: "(\(coding)) is cut off")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func codedOnceAndLabelledTwiceIsAnError(transport: TransportUnderTest) async throws {
    try await expectFailure(
      transport, coding: "gzip, gzip", try Coded.gzip.body(of: Sample.text),
      saying: "content coding (gzip) is damaged (incorrect header check)")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func dictionaryThatNobodyHasIsAnError(transport: TransportUnderTest) async throws {
    // A header of zlib that asks for a dictionary (RFC 1950 section 2.2).
    try await expectFailure(
      transport, coding: "deflate", Data([0x78, 0xBB, 1, 2, 3, 4, 3, 0]),
      saying: "(deflate) is damaged (it needs a dictionary)")
  }

  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func connectionLostWithinACodedBodyIsAnError(
    transport: TransportUnderTest, coded: Coded
  ) async throws {
    let body = try coded.body(of: Sample.lines(1_000))
    try await withTestServer { exchange in
      try await exchange.write(
        "HTTP/1.1 200 OK\r\nContent-Encoding: \(coded.name)\r\nContent-Length: 99999\r\n\r\n")
      try await exchange.write(body)
      try await exchange.close()
    } _: { server in
      let error = try await transport.client(server).failure(of: Request<Data>.get("/"))
      guard case .transport = error else { throw error }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func requestAfterADamagedBodyIsAnswered(transport: TransportUnderTest) async throws {
    var damaged = try Coded.gzip.body(of: Sample.lines(10_000))
    damaged[100] ^= 0xFF
    damaged[damaged.count - 5] ^= 0xFF
    try await withTestServer { [damaged] exchange in
      guard exchange.path == "/damaged" else { return try await exchange.respond(200, [], "fine") }
      try await exchange.respond(coding: "gzip", damaged)
    } _: { server in
      let client = try transport.client(server)
      for _ in 0..<3 {
        _ = try await client.failure(of: Request<Data>.get("/damaged"))
        let value = try await client.send(Request<String>.get("/"))
        #expect(value == "fine")
      }
    }
  }
}
