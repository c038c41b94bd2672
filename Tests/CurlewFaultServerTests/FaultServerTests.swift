import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite("A server's script and its log", .timeLimit(.minutes(1)))
struct FaultServerTests {
  /// Returns the bytes of a response with a body of one byte.
  private func bytes(_ byte: String) -> String {
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n\(byte)"
  }

  @Test func `responses come in their order on a connection that is kept`() async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .json("1"), .json("2"))
      try await withConnection(to: server) { connection in
        for byte in ["1", "2", "2"] {
          try await connection.ask()
          #expect(try await connection.receives(bytes(byte)))
        }
        #expect(server.connections.map(\.requests) == [3])
        #expect(server.connections.map(\.closedBy) == [nil])
        #expect(server.openConnections == 1)
      }
      await server.waitForClosedConnections(1)
      #expect(server.connections.map(\.closedBy) == [.client])
      #expect(server.openConnections == 0)
    }
  }

  @Test func `a stub that is cut closes the connection`() async throws {
    let whole = bytes("123").replacing("Content-Length: 1", with: "Content-Length: 3")
    try await withFaultServer { server in
      server.stub(
        .get, "/x", with: .json("123").cut(after: 2), .json("123").with(.chunked()).cut(after: 1))
      let first = try await withConnection(to: server) { connection in
        try await connection.ask()
        return await connection.rest()
      }
      #expect(first.text == whole.dropLast() && first.end == .closed)
      let second = try await withConnection(to: server) { connection in
        try await connection.ask()
        return await connection.rest()
      }
      #expect(second.text.hasSuffix("\r\n\r\n3\r\n1") && second.end == .closed)
    }
  }

  @Test func `the newest stub that matches wins`() async throws {
    try await withFaultServer { server in
      server.handle { try await $0.respond(with: .json("0")) }
      server.stub(.get, "/a/**", with: .json("1"))
      server.stub(Request<Int>.get("/a/b", query: ["q": 1]), with: .json("2"))
      server.handle(.get, "/a/*/c") { try await $0.respond(with: .json("3")) }
      try await withConnection(to: server) { connection in
        for (target, byte) in [
          ("/", "0"), ("/a/b?q=1", "2"), ("/a/b?q=2", "1"), ("/a/b/c?q=1", "3"), ("/a/b/d", "1"),
        ] {
          try await connection.ask(target)
          #expect(try await connection.receives(bytes(byte)))
        }
      }
    }
  }

  @Test func `pipelined requests are answered in their order`() async throws {
    try await withFaultServer { server in
      server.stub(.get, "/1", with: .json("1"))
      server.stub(.get, "/2", with: .json("2"))
      try await withConnection(to: server) { connection in
        try await connection.send("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n")
        #expect(try await connection.receives(bytes("1") + bytes("2")))
      }
    }
  }

  @Test func `a gate holds a request`() async throws {
    try await withFaultServer { server in
      let gate = server.hold(.get, "/x")
      try await withConnection(to: server) { connection in
        try await connection.ask("/x?page=2")
        await gate.waitForRequests(1)
        #expect(gate.held.map(\.head.path) == ["/x?page=2"])
        gate.respond(with: .json("7").with(.statusLine("HTTP/1.1 200 ")))
        #expect(
          try await connection.receives(
            bytes("7").replacingOccurrences(of: "200 OK", with: "200 ")))
      }
    }
  }

  @Test func `a response is made of the request`() async throws {
    try await withFaultServer { server in
      server.stub(
        .put, "/x",
        with: .sample { request in
          let text = String(decoding: request.body?.data ?? Data(), as: UTF8.self)
          return Sample(body: Data("\(request.url) \(text)".utf8))
        })
      try await withConnection(to: server) { connection in
        try await connection.send("PUT /x?a=1 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi")
        #expect(
          try await connection.receives(
            "HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\nhttp://h/x?a=1 hi"))
      }
    }
  }

  @Test func `requests are logged as they came`() async throws {
    try await withFaultServer { server in
      server.handle { try await $0.respond(204) }
      for _ in 0..<2 {
        try await withConnection(to: server) { connection in
          try await connection.send(
            "POST /a%2Fb?c=%20 HTTP/1.1\r\nhOST:  test \r\nX-A: 1\r\ncontent-length: 5\r\n"
              + "x-a: 2\r\n\r\n\0\r\n\u{7F}b")
          #expect(try await connection.receives("HTTP/1.1 204 Status\r\n\r\n"))
        }
      }
      let request = try #require(server.requests.last)
      #expect(request.line == "POST /a%2Fb?c=%20 HTTP/1.1")
      #expect(request.method == "POST" && request.version == "HTTP/1.1")
      #expect(request.target == "/a%2Fb?c=%20" && request.path == "/a%2Fb")
      #expect(
        request.fields.map(\.description)
          == ["hOST: test", "X-A: 1", "content-length: 5", "x-a: 2"])
      #expect(request["X-a"] == "1, 2" && request.values(of: "x-A") == ["1", "2"])
      #expect(request.body == Data([0, 13, 10, 0x7F, 98]))
      #expect(request.chunks == nil)
      #expect(server.requests.map(\.connection) == [0, 1])
    }
  }

  @Test func `chunked bodies are read`() async throws {
    try await withFaultServer { server in
      server.handle { try await $0.respond(200, [], $0.request.text) }
      try await withConnection(to: server) { connection in
        try await connection.send(
          "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nab")
        try await connection.send("c\r\nA\r\n0123456789\r\n0\r\nX-Sum: 1\r\n\r\n")
        #expect(
          try await connection.receives(
            "HTTP/1.1 200 Status\r\nContent-Length: 13\r\n\r\nabc0123456789"))
      }
      #expect(server.requests.first?.chunks == [3, 10])
      #expect(server.requests.first?.trailers.map(\.description) == ["X-Sum: 1"])
    }
  }

  @Test func `a client that expects it is told to go on`() async throws {
    try await withFaultServer { server in
      server.stub(.post, "/x", with: .json("1"))
      try await withConnection(to: server) { connection in
        try await connection.send(
          "POST /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try await connection.receives("HTTP/1.1 100 Continue\r\n\r\n"))
        try await connection.send("ab")
        #expect(try await connection.receives(bytes("1")))
      }
      #expect(server.requests.map(\.text) == ["ab"])
    }
  }

  @Test(arguments: [
    "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
    "\r\n\r\n",
  ])
  func `what is no request is refused`(text: String) async throws {
    try await withFaultServer { server in
      try await withConnection(to: server) { connection in
        try await connection.send(text)
        #expect(await connection.rest().text.hasPrefix("HTTP/1.1 400 "))
      }
      #expect(server.requests.isEmpty)
      // The client may see the end before the server has recorded it.
      await server.waitForClosedConnections(1)
      #expect(server.connections.first?.closedBy == .server)
    }
  }

  @Test func `an HTTP10 client gets one response`() async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .json("1"))
      try await withConnection(to: server) { connection in
        try await connection.send("GET /x HTTP/1.0\r\n\r\n")
        #expect(await connection.rest().text == bytes("1"))
      }
    }
  }

  @Test func `a request that nothing stubs fails the test and names itself`() async throws {
    try await withKnownIssue {
      try await withFaultServer { server in
        server.stub(.post, "/y", with: .json("1"))
        try await withConnection(to: server) { connection in
          try await connection.ask("/x?token=hunter2")
          #expect(try await connection.receives("HTTP/1.1 501 Status\r\n"))
        }
      }
    } matching: { issue in
      issue.comments.map(\.rawValue) == ["No stub matches GET /x. Stubbed: POST /y."]
    }
  }

  @Test func `a handler that throws resets the connection`() async throws {
    struct Broken: Error {}
    try await withFaultServer { server in
      server.handle { _ in throw Broken() }
      try await withConnection(to: server) { connection in
        try await connection.ask()
        #expect(await connection.rest().end == .reset)
      }
      await server.waitForClosedConnections(1)
      #expect(server.connections.map(\.closedBy) == [.server])
    }
  }
}
