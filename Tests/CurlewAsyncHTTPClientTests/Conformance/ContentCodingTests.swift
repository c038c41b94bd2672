import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite("Content codings are undone", .timeLimit(.minutes(1)))
struct ContentCodingTests {
  private struct Bird: Decodable, Equatable {
    let name: String
    let calls: [String]
  }

  private let bird = Bird(name: "curlew", calls: ["cur-lee", "cur-lee"])
  private static let gzip = Data(
    base64Encoded: "H4sIAAAAAAAC/6tWykvMTVWyUkouLcpJLVfSUUpOzMkpVrKKBono5qSmgoSgrNhaADQe70UvAAAA")
  private static let deflate = Data(
    base64Encoded: "eNqrVspLzE1VslJKLi3KSS1X0lFKTszJKVayigaJ6OakpoKEoKzYWgBx+w9t")

  /// A mebibyte of zeros: 1,051 bytes of gzip, nearly all of them zeros again.
  private static var zeros: Data {
    let start: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 0xFF, 0xED, 0xC1, 0x31, 1, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F,
      0x6D, 8, 0x5F, 0xA0,
    ]
    return Data(start + [UInt8](repeating: 0, count: 1016))
      + Data([0x3E, 3, 0x1C, 0xEA, 0x38, 0xA7, 0, 0, 0x10, 0])
  }

  @Test(arguments: TransportUnderTest.allCases, ["gzip", "deflate"])
  func codedBodyIsDecoded(transport: TransportUnderTest, coding: String) async throws {
    let body = try #require(coding == "gzip" ? Self.gzip : Self.deflate)
    try await withServer { exchange in
      try await exchange.answer(200, [("Content-Encoding", coding), ("ETag", "\"a\"")], body)
    } _: { server in
      let answer = try await transport.client(server).answer(to: Request<Bird>.get("/"))
      #expect(answer.value == bird)
      #expect(answer.head.headerFields[.eTag] == "\"a\"")
      #expect(answer.head.headerFields[.contentEncoding] == nil, "it is not true any more")
      #expect(answer.head.headerFields[.contentLength] == nil, "it is not true any more")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func codedBodyIsDecodedFromSinglePieces(transport: TransportUnderTest) async throws {
    let body = try #require(Self.gzip)
    try await withServer { exchange in
      try await exchange.write(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
      for byte in body {
        try await exchange.write(Data("1\r\n".utf8) + [byte] + Data("\r\n".utf8))
      }
      try await exchange.write("0\r\n\r\n")
    } _: { server in
      let value = try await transport.client(server).send(Request<Bird>.get("/"))
      #expect(value == bird)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func limitCountsDecodedBytes(transport: TransportUnderTest) async throws {
    try await withServer { exchange in
      try await exchange.answer(200, [("Content-Encoding", "gzip")], Self.zeros)
    } _: { server in
      let size = 1024 * 1024
      let client = try transport.client(server) { $0.limits.bodySize = size }
      let value = try await client.send(Request<Data>.get("/"))
      #expect(value == Data(count: size))

      let error = try await client.failure(
        of: Request<Data>.get("/").limits { $0.bodySize = size - 1 })
      guard case .tooLarge(let failure) = error else { throw error }
      #expect(failure.bytes == size - 1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func brokenCodingIsATransportError(transport: TransportUnderTest) async throws {
    try await withServer { exchange in
      try await exchange.answer(200, [("Content-Encoding", "gzip")], "this is not gzip at all")
    } _: { server in
      let error = try await transport.client(server).failure(of: Request<Data>.get("/"))
      guard case .transport = error else { throw error }
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [204, 304, 200])
  func codingOfAnEmptyBodyIsFine(transport: TransportUnderTest, status: Int) async throws {
    try await withServer {
      try await $0.answer(status, [("Content-Encoding", "gzip")])
    } _: {
      server in
      let result = await (try transport.client(server)).result(of: Request<Data>.get("/"))
      switch result {
      case .success(let data): #expect(data.isEmpty)
      case .failure(let error): #expect(error.status == .notModified)
      }
    }
  }
}
