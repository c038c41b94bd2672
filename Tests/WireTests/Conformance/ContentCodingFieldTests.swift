import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Content codings: requests and responses", .timeLimit(.minutes(1)))
struct ContentCodingFieldTests {
  /// `URLSession` requests the codings that it decodes itself, which differ between systems.
  @Test
  func `just what is undone is asked for`() async throws {
    try await withTestServer { server in
      try await TransportUnderTest.asyncHTTPClient.client(server).send(Request<Void>.get("/"))
      #expect(
        server.requests.map { $0.values(of: "Accept-Encoding") } == [[ContentCoding.accepted]])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `range is asked for without a coding`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond(206, [("Content-Range", "bytes 0-3/10")], "part")
    } _: { server in
      let value = try await transport.client(server).send(
        Request<String>.get("/", headerFields: [.range: "bytes=0-3"]))
      #expect(value == "part")
      #expect(server.requests.map { $0.values(of: "Accept-Encoding") } == [["identity"]])
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["identity", "br", "gzip;q=0.5", "deflate"])
  func `own accept encoding is sent as it is and what is known is undone`(
    transport: TransportUnderTest, accepted: String
  ) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: "gzip", body)
    } _: { server in
      let value = try await transport.client(server).send(
        Request<String>.get("/", headerFields: [.acceptEncoding: accepted]))
      #expect(value == Sample.text)
      #expect(server.requests.map { $0.values(of: "Accept-Encoding") } == [[accepted]])
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["compress", "x-compress", "exi", "dcb"])
  func `coding that is not known is an error that names it`(
    transport: TransportUnderTest, coding: String
  ) async throws {
    try await withTestServer {
      try await $0.respond(coding: coding, Data(Sample.text.utf8))
    } _: { server in
      let failure = try await transport.client(server).transportFailure(
        of: Request<String>.get("/"))
      // `URLSession` may support some of them: there, the body is damaged.
      if transport == .urlSession { return }
      #expect(
        failure.reason
          == "the body's content coding is \(coding.trimmingPrefix("x-")), which was not requested; "
          + "supported are \(ContentCoding.accepted)")
    }
  }

  @Test(arguments: ["exi, gzip", "gzip, gzip", "exi\r\nContent-Encoding: gzip"])
  func `several codings are an error unless they were asked for`(list: String) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: list, body)
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server)
      let failure = try await client.transportFailure(of: Request<Data>.get("/"))
      let names = list.replacing("\r\nContent-Encoding:", with: ",")
      #expect(failure.reason.hasPrefix("the body's content coding is \(names),"))
      let other = try TransportUnderTest.urlSession.client(server)
      _ = try await other.transportFailure(of: Request<Data>.get("/"))
      let fields: HTTPFields = [.acceptEncoding: "gzip, exi"]
      let response = try await client.response(for: Request<Data>.get("/", headerFields: fields))
      #expect(response.value == body)
      #expect(response.head.headerFields[.contentEncoding] == names)
    }
  }

  /// Names that are no coding; httpx#195, cpp-httplib#2518, crawlee#1067, aws-sdk-kotlin#1358.
  @Test(arguments: [
    ("UTF-8", "utf-8"), ("none", "none"), ("text", "text"), ("ISO-8859-1", "iso-8859-1"),
    ("binary", "binary"),
    ("null", "null"), ("identity, x-own", "x-own"),
  ])
  func `names that are no coding leave the body`(field: (text: String, unknown: String))
    async throws
  {
    try await withTestServer {
      try await $0.respond(coding: field.text, Data("abcd".utf8))
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server)
      let response = try await client.response(for: Request<String>.get("/"))
      #expect(response.value == "abcd")
      #expect(response.unknownCoding == field.unknown)
      #expect(try await client.stream(Request<Data>.get("/")).unknownCoding == field.unknown)
    }
  }

  @Test(arguments: [
    "aws-chunked,gzip", "aws-chunked\r\nContent-Encoding: gzip", "utf-8, x-gzip", "gzip",
    "gzip, identity",
  ])
  func `a coding beside names that are none is decoded`(field: String) async throws {
    let body = try Coded.gzip.body(of: Sample.text)
    try await withTestServer {
      try await $0.respond(coding: field, body)
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server)
      let response = try await client.response(for: Request<String>.get("/"))
      #expect(response.value == Sample.text)
      let unknown = field.hasPrefix("aws") ? "aws-chunked" : field.hasPrefix("utf") ? "utf-8" : nil
      #expect(response.unknownCoding == unknown)
      #expect(response.head.headerFields[.contentEncoding] == unknown)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `long name of a coding is cut in its error`(transport: TransportUnderTest) async throws {
    try await withTestServer {
      try await $0.respond(coding: String(repeating: "exi, ", count: 2_000), Data("a".utf8))
    } _: { server in
      let failure = try await transport.client(server).transportFailure(
        of: Request<String>.get("/"))
      #expect(failure.reason.count < 200)
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .ownCoding), ["x-own", "gzip, X-OWN ;q=0.5", "*"])
  func `coding that the request asked for is left to it`(
    transport: TransportUnderTest, accepted: String
  ) async throws {
    try await withTestServer {
      try await $0.respond(coding: "x-own", Data("only own".utf8))
    } _: { server in
      let client = try transport.client(server)
      let fields: HTTPFields = [.acceptEncoding: accepted]
      let plain = try await client.response(for: Request<String>.get("/", headerFields: fields))
      #expect(plain.value == "only own")
      #expect(plain.head.headerFields[.contentEncoding] == "x-own")
      #expect(plain.head.headerFields[.contentLength] == "8")
    }
  }

  /// On `URLSession`, a request with its own `Accept-Encoding` gets any coding without an error.
  @Test(arguments: ["br;q=0", "*;q=0.000", "brr", "gzip"])
  func `coding that the request refused is an error`(accepted: String) async throws {
    try await withTestServer {
      try await $0.respond(coding: "br", Data("brotli".utf8))
    } _: { server in
      let error = try await TransportUnderTest.asyncHTTPClient.client(server).failure(
        of: Request<String>.get("/", headerFields: [.acceptEncoding: accepted]))
      guard case .transport = error else { throw error }
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["gzip", "deflate"])
  func `empty body is fine whatever its coding`(
    transport: TransportUnderTest, coding: String
  ) async throws {
    try await withTestServer { exchange in
      switch exchange.path {
      case "/chunked": try await exchange.respond(coding: coding, Data(), .chunked)
      case "/closing": try await exchange.respond(coding: coding, Data(), .closing)
      case "/204": try await exchange.respond(204, [("Content-Encoding", coding)])
      case "/205": try await exchange.respond(205, [("Content-Encoding", coding)])
      default: try await exchange.respond(coding: coding, Data())
      }
    } _: { server in
      let client = try transport.client(server)
      for path in ["/", "/chunked", "/closing", "/204", "/205"] as [Path] {
        let value = try await client.send(Request<Data>.get(path))
        #expect(value.isEmpty, "\(path)")
        try await client.send(Request<Void>.delete(path))
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `empty body of a coding that is not known is fine`(transport: TransportUnderTest)
    async throws
  {
    try await withTestServer {
      try await $0.respond(coding: "x-own", Data(), $0.path == "/chunked" ? .chunked : .length)
    } _: { server in
      for path in ["/", "/chunked"] as [Path] {
        let value = try await transport.client(server).send(Request<Data>.get(path))
        #expect(value.isEmpty)
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["gzip", "deflate", "br", "deflate, gzip"])
  func `response to head and not modified keep their fields`(
    transport: TransportUnderTest, coding: String
  ) async throws {
    try await withTestServer { exchange in
      if exchange.path == "/304" {
        try await exchange.respond(304, [("Content-Encoding", coding), ("ETag", "\"a\"")])
      } else {
        try await exchange.write(
          "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: 5000\r\n\r\n")
      }
    } _: { server in
      let client = try transport.client(server)
      let response = try await client.response(for: Request<Void>.head("/"))
      #expect(response.head.headerFields[.contentEncoding] == coding)
      #expect(response.head.headerFields[.contentLength] == "5000")
      let failure = try await client.statusFailure(of: Request<Data>.get("/304"))
      #expect(failure.response.status == .notModified)
      #expect(failure.response.headerFields[.contentEncoding] == coding)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func `text of an error is decoded`(transport: TransportUnderTest, coded: Coded) async throws {
    let body = try coded.body(of: #"{"message": "No such bird"}"#)
    try await withTestServer {
      let status = $0.path == "/missing" ? 404 : 500
      try await $0.respond(status, coding: coded.name, body, .chunked, by: 3)
    } _: { server in
      for (path, status) in [("/missing", 404), ("/broken", 500)] as [(Path, Int)] {
        let failure = try await transport.client(server).statusFailure(of: Request<Data>.get(path))
        #expect(failure.response.status.code == status)
        #expect(failure.message == "No such bird")
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["gzip", "deflate", "compress", "gzip, gzip"])
  func `error whose text is damaged keeps its status`(
    transport: TransportUnderTest, coding: String
  ) async throws {
    try await withTestServer {
      try await $0.respond(503, coding: coding, Data("this is not coded at all".utf8))
    } _: { server in
      let failure = try await transport.client(server).statusFailure(of: Request<Data>.get("/"))
      #expect(failure.response.status == .serviceUnavailable)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func `redirect is followed whatever the coding of its body`(
    transport: TransportUnderTest, coded: Coded
  ) async throws {
    let body = try coded.body(of: Sample.text)
    try await withTestServer { exchange in
      if exchange.path == "/start" {
        try await exchange.respond(302, coding: coded.name, fields: "Location: /there\r\n", body)
      } else {
        try await exchange.respond(coding: coded.name, body)
      }
    } _: { server in
      let value = try await transport.client(server).send(Request<String>.get("/start"))
      #expect(value == Sample.text)
      #expect(server.requests.map(\.target) == ["/start", "/there"])
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .codingOfRedirect), ["gzip", "deflate", "x-own"])
  func `redirect is followed though its body is damaged`(
    transport: TransportUnderTest, coding: String
  ) async throws {
    try await withTestServer { exchange in
      guard exchange.path == "/start" else { return try await exchange.respond(200, [], "there") }
      let damaged = Data("this is not coded at all".utf8)
      try await exchange.respond(307, coding: coding, fields: "Location: /there\r\n", damaged)
    } _: { server in
      let value = try await transport.client(server).send(Request<String>.get("/start"))
      #expect(value == "there")
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .bodyOfDeadEnd))
  func `text of a redirect to nowhere is decoded`(transport: TransportUnderTest) async throws {
    let body = try Coded.gzip.body(of: #"{"message": "Gone north"}"#)
    try await withTestServer {
      try await $0.respond(302, coding: "gzip", body)
    } _: { server in
      let failure = try await transport.client(server).statusFailure(of: Request<Data>.get("/"))
      #expect(failure.message == "Gone north")
    }
  }

}
