import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@Suite("Connections with TLS settings of their own", .timeLimit(.minutes(1)))
struct LifetimeTests {
  let root: TestCertificate
  let settings: TLSSettings

  init() throws {
    root = try .authority()
    var tls = TLSSettings()
    tls.trust.roots = .only(try root.certificates)
    settings = tls
  }

  private func client(
    _ server: TLSServer, _ transport: AsyncHTTPClientTransport
  ) throws -> Client {
    Client(baseURL: try BaseURL(server.origin)) { $0.transport = transport }
  }

  @Test
  func `are shared by copies only`() async throws {
    try await withTLSServer(try root.issue()) { server in
      let transport = AsyncHTTPClientTransport(tls: settings)
      for _ in 0..<2 { try await client(server, transport).send(Request<Void>.get("/")) }
      #expect(server.connections == 1)
      let other = AsyncHTTPClientTransport(tls: settings)
      try await client(server, other).send(Request<Void>.get("/"))
      #expect(server.connections == 2)
    }
  }

  @Test
  func `are closed when nobody holds them any more`() async throws {
    let closed = Gate()
    try await withTLSServer(try root.issue()) { exchange in
      try await exchange.respond(.ok, [:], "fine")
      (exchange.channel.parent ?? exchange.channel).closeFuture.whenComplete { _ in closed.open() }
    } _: { server in
      try await client(server, AsyncHTTPClientTransport(tls: settings))
        .send(Request<Void>.get("/"))
      await closed.wait()
    }
  }

  @Test
  func `are closed in order by a shutdown`() async throws {
    let closed = Gate()
    try await withTLSServer(try root.issue()) { exchange in
      try await exchange.respond(.ok, [:], "fine")
      (exchange.channel.parent ?? exchange.channel).closeFuture.whenComplete { _ in closed.open() }
    } _: { server in
      let transport = AsyncHTTPClientTransport(tls: settings)
      try await client(server, transport).send(Request<Void>.get("/"))
      async let one: Void = transport.shutdown()
      async let other: Void = transport.shutdown()
      _ = try await (one, other)
      await closed.wait()
      // A later request creates new connections.
      try await client(server, transport).send(Request<Void>.get("/"))
      #expect(server.connections == 2)
    }
  }

  @Test
  func `stay while a response is read`() async throws {
    let goes = Gate()
    try await withTLSServer(try root.issue()) { exchange in
      try await exchange.begin()
      try await exchange.write("so")
      await goes.wait()
      try await exchange.write("me")
      try await exchange.end()
    } _: { server in
      let body = try await self.body(of: "/", from: server)
      goes.open()
      let data = try await body.reduce(into: Data()) { $0 += $1 }
      #expect(String(decoding: data, as: UTF8.self) == "some")
    }
  }

  /// Returns the body of a response whose transport is released after the head.
  private func body(of path: String, from server: TLSServer) async throws -> ResponseBody {
    let transport = AsyncHTTPClientTransport(tls: settings)
    let request = OutgoingRequest(
      head: HTTPRequest(
        method: .get, scheme: "https", authority: "localhost:\(server.port)", path: path),
      endpoint: Request<Void>.get("/"))
    return try await transport.send(request).body
  }

  @Test
  func `shutdown leaves a client of the callers alone`() async throws {
    try await withTLSServer(try root.issue()) { server in
      try await HTTPClient.withHTTPClient(configuration: .curlew(tls: settings)) { http in
        let transport = AsyncHTTPClientTransport(http)
        try await transport.shutdown()
        try await client(server, transport).send(Request<Void>.get("/"))
      }
    }
  }
}
