import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@Suite("Handshakes that go wrong, and redirects", .timeLimit(.minutes(1)))
struct HandshakeTests {
  let root: TestCertificate

  init() throws {
    root = try .authority()
  }

  @Test
  func `handshake that never ends is a timeout`() async throws {
    let (arrived, clock) = (Gate(), TestClock())
    let accepted = Mutex<(any Channel)?>(nil)
    try await withConnections { channel in
      accepted.withLock { $0 = channel }
      arrived.open()
    } _: { origin in
      let client = try Client.tls(origin, trusting: root) { _ in
      } configure: {
        $0.clock = clock
      }
      async let result = client.result(of: Request<Void>.get("/"))
      await arrived.wait()
      clock.advance(by: .seconds(30))
      let failure = try #require(await result.failure?.timeoutFailure)
      #expect(failure.limit == .connect)
      try await accepted.withLock { $0 }?.close()
    }
  }

  @Test
  func `redirect to plain HTTP is refused`() async throws {
    try await withTestServer {
      try await $0.respond(200, [], "plain")
    } _: { plain in
      let location = plain.origin + "/there"
      try await withTLSServer(try root.issue()) {
        try await $0.respond(.found, ["location": location])
      } _: { server in
        let failure = try await Client.tls(server.origin, trusting: root)
          .redirectFailure(
            of: Request<Void>.get("/"))
        #expect(failure.reason == .insecure)
        #expect(plain.requests.isEmpty)
      }
    }
  }

  @Test
  func `redirect to another port drops credentials`() async throws {
    try await withTLSServer(try root.issue()) { other in
      let location = other.origin + "/there"
      try await withTLSServer(try root.issue()) {
        try await $0.respond(.found, ["location": location])
      } _: { server in
        let request = Request<String>.get(
          "/",
          headerFields: [
            .authorization: "Bearer hidden", .cookie: "a=1", .accept: "text/plain",
          ])
        let text = try await Client.tls(server.origin, trusting: root).send(request)
        #expect(text == "fine")
        #expect(server.requests.first?.head.headers["authorization"] == ["Bearer hidden"])
        let headers = try #require(other.requests.first?.head.headers)
        #expect(headers["authorization"] == [])
        #expect(headers["cookie"] == [])
        #expect(headers["accept"] == ["text/plain"])
      }
    }
  }

  @Test
  func `response that is cut is an error`() async throws {
    try await withTLSServer(try root.issue(), options: .init(protocols: ["http/1.1"])) { exchange in
      try await exchange.begin()
      try await exchange.write("some")
      try await exchange.channel.close()
    } _: { server in
      let failure = try await Client.tls(server.origin, trusting: root).transportFailure()
      #expect(failure.reason == "the connection was closed before the response was complete")
      #expect(failure.kind == .lost)
    }
  }
}

/// Closes a connection when the client's first bytes are read: unread bytes would cause a reset.
final class ClosingAtFirstRead: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.close(promise: nil)
  }
}
