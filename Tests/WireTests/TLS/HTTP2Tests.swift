import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import Synchronization
import TestSupport
import Testing

@Suite("HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2Tests {
  let root: TestCertificate

  init() throws {
    root = try .authority()
  }

  @Test
  func `is spoken where it is offered`() async throws {
    try await withTLSServer(try root.issue()) { server in
      try await Client.tls(server.origin, trusting: root).send(Request<Void>.get("/"))
      #expect(server.requests.map(\.isHTTP2) == [true])
    }
  }

  @Test(arguments: [["http/1.1"], []])
  func `gives way to HTTP1 where it is not offered`(protocols: [String]) async throws {
    try await withTLSServer(try root.issue(), options: .init(protocols: protocols)) { server in
      let client = try Client.tls(server.origin, trusting: root)
      for _ in 0..<2 { try await client.send(Request<Void>.get("/")) }
      #expect(server.requests.map(\.isHTTP2) == [false, false])
      #expect(server.connections == 1)
    }
  }

  @Test
  func `many requests at once share a connection`() async throws {
    let arrived = Mutex(0)
    let goes = Gate()
    try await withTLSServer(try root.issue()) { exchange in
      if exchange.request.head.uri == "/held" {
        // All 99 are concurrent before the first response: more than the limit of connections without HTTP/2.
        let count = arrived.withLock { count in
          count += 1
          return count
        }
        if count == 99 { goes.open() }
        await goes.wait()
      }
      try await exchange.respond(.ok, [:], "fine")
    } _: { server in
      let client = try Client.tls(server.origin, trusting: root)
      try await client.send(Request<Void>.get("/first"))
      let responses = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<99 {
          group.addTask { (try? await client.send(Request<String>.get("/held"))) == "fine" }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(responses == 99)
      #expect(server.connections == 1)
      #expect(server.requests.allSatisfy { $0.isHTTP2 && $0.connection == 0 })
    }
  }

  /// The server accepts 100 concurrent streams; a request that waits for a stream does not wait for a connection.
  @Test
  func `waiting for a stream does not count as connecting`() async throws {
    let (clock, goes, waits) = (TestClock(), Gate(), Waits())
    let arrived = Mutex(0)
    try await withTLSServer(try root.issue()) { exchange in
      if exchange.request.head.uri == "/held" {
        arrived.withLock { $0 += 1 }
        await goes.wait()
      }
      try await exchange.respond(.ok, [:], "fine")
    } _: { server in
      let client = try Client.tls(server.origin, trusting: root) { _ in
      } configure: {
        $0.clock = clock
        $0.limits.firstByte = .seconds(3_600)
        $0.limits.total = nil
        $0.observers = [waits]
      }
      try await client.send(Request<Void>.get("/first"))
      let requests = (0..<150).map { _ in
        Task { await client.result(of: Request<String>.get("/held")) }
      }
      await eventually { arrived.withLock { $0 } == 100 }
      clock.advance(by: .seconds(60))
      goes.open()
      for request in requests { #expect(try await request.value.get() == "fine") }
      #expect(server.connections == 1)
    }
  }

  /// AsyncHTTPClient fails requests that wait in its pool longer than its connect timeout.
  @Test
  func `waiting for a stream has no time limit of its own`() async throws {
    let goes = Gate()
    try await withTLSServer(try root.issue()) { exchange in
      if exchange.request.head.uri == "/held" { await goes.wait() }
      try await exchange.respond(.ok, [:], "fine")
    } _: { server in
      var tls = TLSSettings()
      tls.trust.roots = .only(try root.certificates)
      var configuration = HTTPClient.Configuration.curlew(tls: tls)
      configuration.timeout.connect = .milliseconds(100)
      try await HTTPClient.withHTTPClient(configuration: configuration) { http in
        let client = Client(baseURL: try BaseURL(server.origin)) {
          $0.transport = AsyncHTTPClientTransport(http)
        }
        while (try? await client.send(Request<String>.get("/first"))) == nil { await Task.yield() }
        let requests = (0..<150).map { _ in
          Task { await client.result(of: Request<String>.get("/held")) }
        }
        try await MultiThreadedEventLoopGroup.singleton.any()
          .scheduleTask(in: .milliseconds(300)) { goes.open() }.futureResult.get()
        for request in requests { #expect(try await request.value.get() == "fine") }
      }
    }
  }

  @Test
  func `many first requests at once are all answered`() async throws {
    try await withTLSServer(try root.issue()) { server in
      let client = try Client.tls(server.origin, trusting: root)
      let responses = await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<64 {
          group.addTask { (try? await client.send(Request<String>.get("/"))) == "fine" }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      #expect(responses == 64)
      #expect(server.requests.allSatisfy { $0.isHTTP2 })
    }
  }

  @Test
  func `request is sent as it is`() async throws {
    try await withTLSServer(try root.issue()) { server in
      let client = try Client.tls(server.origin + "/v1", trusting: root)
      let mixed = try #require(HTTPField.Name("X-Mixed-Case"))
      let request = Request<Void>.put(
        "/a b", query: ["q": "ä+"], headerFields: [mixed: "Value"], body: .data(Data("hi".utf8)))
      try await client.send(request)
      let received = try #require(server.requests.first)
      #expect(received.isHTTP2)
      #expect(received.head.method == .PUT)
      #expect(received.head.uri == "/v1/a%20b?q=%C3%A4%2B")
      // The server's codec converts `:authority` to `host`, which appears once, with the port.
      #expect(received.head.headers["host"] == ["localhost:\(server.port)"])
      #expect(received.head.headers["x-mixed-case"] == ["Value"])
      #expect(received.head.headers["content-length"] == ["2"])
      #expect(!received.head.headers.contains(name: "connection"))
      #expect(received.body == Data("hi".utf8))
    }
  }

  @Test
  func `large bodies pass both ways`() async throws {
    // More than a stream's flow-control window, so that both sides must update it repeatedly.
    let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try await withTLSServer(try root.issue()) { exchange in
      try await exchange.respond(.ok, [:], exchange.request.body)
    } _: { server in
      let client = try Client.tls(server.origin, trusting: root)
      let response = try await client.send(Request<Data>.post("/", body: .data(body)))
      #expect(response == body)
    }
  }

  @Test
  func `fields of the response arrive`() async throws {
    try await withTLSServer(try root.issue()) {
      try await $0.respond(
        .notFound, ["x-one": "1", "set-cookie": "a=1", "set-cookie": "b=2"], "no")
    } _: { server in
      let failure = try await Client.tls(server.origin, trusting: root)
        .statusFailure(
          of: Request<Void>.get("/"))
      #expect(failure.response.status == .notFound)
      #expect(failure.response.headerFields[values: .setCookie].count == 2)
      #expect(failure.response.headerFields[.init("X-One") ?? .accept] == "1")
      #expect(String(decoding: failure.body, as: UTF8.self) == "no")
    }
  }

  @Test(arguments: [false, true])
  func `cancellation resets the stream and keeps the connection`(inBody: Bool) async throws {
    let (arrived, closed, reading) = (Gate(), Gate(), Gate())
    try await withTLSServer(try root.issue()) { exchange in
      guard exchange.request.head.uri == "/slow" else {
        return try await exchange.respond(.ok, [:], "fine")
      }
      if inBody {
        try await exchange.begin()
        try await exchange.write("some")
      }
      arrived.open()
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try Client.tls(server.origin, trusting: root) { _ in
      } configure: {
        $0.middleware = [Observing { $0.open(reading) }]
      }
      let task = Task { await client.result(of: Request<String>.get("/slow")) }
      await arrived.wait()
      if inBody { await reading.wait() }
      task.cancel()
      #expect(await task.value.failure?.isCancelled == true)
      await closed.wait()
      let text = try await client.send(Request<String>.get("/"))
      #expect(text == "fine")
      #expect(server.requests.map(\.connection) == [0, 0])
      #expect(server.connections == 1)
    } afterwards: { server in
      #expect(server.resets == [.cancel])
    }
  }

  @Test
  func `time limit resets the stream`() async throws {
    let (arrived, closed, clock) = (Gate(), Gate(), TestClock())
    try await withTLSServer(try root.issue()) { exchange in
      arrived.open()
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try Client.tls(server.origin, trusting: root) { _ in
      } configure: {
        $0.clock = clock
        $0.limits.connect = nil
        $0.limits.total = nil
      }
      let request = Request<String>.get("/")
      // The server may receive the request before the first-byte limit starts.
      let result = await client.result(of: request, advancing: clock, by: .seconds(30)) {
        await arrived.wait()
      }
      let failure = try #require(result.failure?.timeoutFailure)
      #expect(failure.limit == .firstByte)
      await closed.wait()
    } afterwards: { server in
      #expect(server.resets == [.cancel])
    }
  }

  @Test
  func `stream that the server resets is a transport error`() async throws {
    try await withTLSServer(try root.issue()) { exchange in
      if exchange.request.head.uri == "/" { return try await exchange.respond(.ok, [:], "fine") }
      try await exchange.begin()
      try await exchange.write("some")
      try await exchange.channel.close()
    } _: { server in
      let client = try Client.tls(server.origin, trusting: root)
      let failure = try await client.transportFailure(of: .get("/cut"))
      #expect(failure.kind == .lost)
      let text = try await client.send(Request<String>.get("/"))
      #expect(text == "fine")
      #expect(server.connections == 1)
    }
  }
}
