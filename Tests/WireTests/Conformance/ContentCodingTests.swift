import Curlew
import CurlewFaultServer
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Content codings are undone (RFC 9110 section 8.4)", .timeLimit(.minutes(1)))
struct ContentCodingTests {
  private struct Bird: Decodable, Equatable {
    let name: String
    let calls: [String]
  }

  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func codedValueIsDecoded(transport: TransportUnderTest, coded: Coded) async throws {
    let body = try coded.body(of: Sample.text)
    try await withTestServer { exchange in
      try await exchange.respond(coding: coded.name, fields: "ETag: \"a\"\r\n", body)
    } _: { server in
      let response = try await transport.client(server).response(for: Request<Bird>.get("/"))
      #expect(response.value.name == "curlew")
      #expect(response.value.calls.count == 4)
      #expect(response.head.headerFields[.eTag] == "\"a\"")
      #expect(response.head.headerFields[.contentEncoding] == nil, "it is not true any more")
      #expect(response.head.headerFields[.contentLength] == nil, "it is not true any more")
    }
  }

  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func codedBodyIsDecodedHoweverItIsFramed(
    transport: TransportUnderTest, coded: Coded
  ) async throws {
    let data = Sample.lines(5_000)
    let body = try coded.body(of: data)
    try await withTestServer { exchange in
      let framing = Framing(rawValue: String(exchange.path.dropFirst())) ?? .length
      try await exchange.respond(coding: coded.name, body, framing, by: 1_000)
    } _: { server in
      for framing in Framing.allCases {
        let value = try await transport.client(server).send(
          Request<Data>.get("/\(framing.rawValue)"))
        #expect(value == data, "\(framing)")
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [Coded.gzip, .zlib])
  func codedBodyIsDecodedFromSingleBytes(
    transport: TransportUnderTest, coded: Coded
  ) async throws {
    try await expectDecodingFromSingleBytes(transport, coded)
  }

  @Test(arguments: TransportUnderTest.all(but: .firstByteOfBareDeflate))
  func bareDeflateIsDecodedFromSingleBytes(transport: TransportUnderTest) async throws {
    try await expectDecodingFromSingleBytes(transport, .bareDeflate)
  }

  private func expectDecodingFromSingleBytes(
    _ transport: TransportUnderTest, _ coded: Coded
  ) async throws {
    let body = try coded.body(of: Sample.text)
    try await withTestServer { exchange in
      try await exchange.respond(coding: coded.name, body, .chunked, by: 1)
    } _: { server in
      let value = try await transport.client(server).send(Request<String>.get("/"))
      #expect(value == Sample.text)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [0, 1, 6] as [Int32])
  func bodyOfAnyLevelIsDecoded(transport: TransportUnderTest, level: Int32) async throws {
    let data = Sample.lines(20_000)
    let body = try Coded.gzip.body(of: data, level: level)
    try await withTestServer {
      try await $0.respond(coding: "gzip", body)
    } _: { server in
      let value = try await transport.client(server).send(Request<Data>.get("/"))
      #expect(value == data)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["x-gzip", "GZIP", "X-GZip"])
  func nameMayBeOldOrInCapitals(transport: TransportUnderTest, name: String) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: name, body)
    } _: { server in
      let response = try await transport.client(server).response(for: Request<String>.get("/"))
      #expect(response.value == Sample.text)
      #expect(response.head.headerFields[.contentEncoding] == nil)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["identity", ""])
  func identityIsNoCoding(transport: TransportUnderTest, name: String) async throws {
    try await withTestServer {
      try await $0.respond(coding: name, Data(Sample.text.utf8))
    } _: { server in
      let value = try await transport.client(server).send(Request<String>.get("/"))
      #expect(value == Sample.text)
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    ["gzip, identity", "identity,gzip", "gzip\r\nContent-Encoding: identity", " , gzip,,"])
  func whatIsNoCodingInAListIsSkipped(transport: TransportUnderTest, list: String) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: list, body)
    } _: { server in
      let response = try await transport.client(server).response(for: Request<String>.get("/"))
      #expect(response.value == Sample.text)
      #expect(response.head.headerFields[.contentEncoding] == nil)
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      [Coded.zlib, .gzip], [.gzip, .zlib], [.gzip, .gzip], [.bareDeflate, .gzip],
      [.gzip, .bareDeflate, .zlib],
    ])
  func codingsOnTopOfEachOtherAreUndoneFromTheLast(
    transport: TransportUnderTest, stack: [Coded]
  ) async throws {
    let data = Sample.lines(5_000)
    let body = try stack.reduce(data) { try $1.body(of: $0) }
    let names = stack.map(\.name)
    try await withTestServer { exchange in
      let separator = exchange.path == "/lines" ? "\r\nContent-Encoding: " : ", "
      let list = names.joined(separator: separator)
      try await exchange.respond(coding: list, body, .chunked, by: 777)
    } _: { server in
      for path in ["/list", "/lines"] as [Path] {
        let response = try await transport.client(server).response(for: Request<Data>.get(path))
        #expect(response.value == data)
        #expect(response.head.headerFields[.contentEncoding] == nil)
      }
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .gzipMembers), [1, 7, Int.max])
  func membersOfGzipFollowEachOther(transport: TransportUnderTest, size: Int) async throws {
    let members = try ["cur", "", "lew", " calls"].map { try Coded.gzip.body(of: $0) }
    try await withTestServer { exchange in
      try await exchange.respond(coding: "gzip", Data(members.joined()), .chunked, by: size)
    } _: { server in
      let value = try await transport.client(server).send(Request<String>.get("/"))
      #expect(value == "curlew calls")
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [1, Int.max])
  func headerOfGzipMayHoldAllThatItCan(transport: TransportUnderTest, size: Int) async throws {
    let plain = try Coded.gzip.body(of: Sample.text)
    // Extra field, name and comment (RFC 1952 section 2.3).
    let header: [UInt8] = [0x1F, 0x8B, 8, 0b1_1100, 1, 2, 3, 4, 2, 3, 4, 0, 9, 8, 7, 6]
    let body = Data(header) + Data("a.json\0a comment\0".utf8) + plain.dropFirst(10)
    try await withTestServer {
      try await $0.respond(coding: "gzip", body, .chunked, by: size)
    } _: { server in
      let value = try await transport.client(server).send(Request<String>.get("/"))
      #expect(value == Sample.text)
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func connectionIsKeptAfterACodedBody(transport: TransportUnderTest) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: "gzip", body, .chunked)
    } _: { server in
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      for _ in 0..<5 {
        let value = try await client.send(Request<String>.get("/"))
        #expect(value == Sample.text)
      }
      #expect(server.connections.count == 1)
    }
  }
}
