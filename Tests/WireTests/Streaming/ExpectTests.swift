import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import TestSupport
import Testing

@Suite("A body that the server has to ask for", .timeLimit(.minutes(1)))
struct ExpectTests {
  /// Responds to a request's head, before its body; the server's own handlers see the rest.
  private final class Early: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let response: String
    private let isFinal: Bool
    private let late: Counted
    private var head = ""

    /// - Parameter late: Counts the bytes that come after the head.
    init(_ response: String, isFinal: Bool, _ late: Counted) {
      (self.response, self.isFinal, self.late) = (response, isFinal, late)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !head.contains("\r\n\r\n") else {
        late.value.add(unwrapInboundIn(data).readableBytes, ordering: .relaxed)
        if !isFinal { context.fireChannelRead(data) }
        return
      }
      head += String(buffer: unwrapInboundIn(data))
      guard head.contains("\r\n\r\n") else { return }
      if !response.isEmpty {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
      }
      if isFinal { return }
      // Without the field, which the server knows.
      let seen = head.replacing(/(?i)expect: [^\r]*\r\n/, with: "")
      context.fireChannelRead(NIOAny(ByteBuffer(string: seen)))
    }
  }

  /// The bytes that came after a head.
  private let late = Counted()

  private final class Counted: Sendable {
    let value = Atomic<Int>(0)
    var count: Int { value.load(ordering: .relaxed) }
  }

  private func request(isExpecting: Bool = true) -> Request<String> {
    let body = RequestBody.stream {
      AsyncStream<Data> { continuation in
        continuation.yield(Data("body".utf8))
        continuation.finish()
      }
    }
    return .put("/x", headerFields: isExpecting ? [.expect: "100-continue"] : [:], body: body)
  }

  private func send(
    _ response: String, isFinal: Bool, isExpecting: Bool = true,
    _ transport: TransportUnderTest = .asyncHTTPClient
  ) async throws -> (Result<String, Client.Error>, [String]) {
    let early: @Sendable (any Channel) throws -> Void = { [late] in
      try $0.pipeline.syncOperations.addHandler(Early(response, isFinal: isFinal, late))
    }
    return try await withFaultServer(prepare: early) { server in
      server.stub(.put, "/x", with: .text("done"))
      let client = try transport.client(server)
      let result = await client.result(of: request(isExpecting: isExpecting))
      return (result, server.requests.map(\.text))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `it is sent when the server asks`(transport: TransportUnderTest) async throws {
    let (result, bodies) = try await send(
      "HTTP/1.1 100 Continue\r\n\r\n", isFinal: false, transport)
    #expect(try result.get() == "done")
    #expect(bodies == ["body"])
    #expect(late.count > 0)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `it is not sent after a final response`(transport: TransportUnderTest) async throws {
    let (result, _) = try await send(
      "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", isFinal: true, transport)
    let failure = try #require(result.failure?.statusFailure)
    #expect(failure.response.status.code == 403)
    #expect(late.count == 0)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `it is sent to servers that do not know the field`(transport: TransportUnderTest)
    async throws
  {
    let (result, bodies) = try await send("", isFinal: false, transport)
    #expect(try result.get() == "done")
    #expect(bodies == ["body"])
    #expect(late.count > 0)
  }

  /// A server that refuses a large body early, and closes the connection.
  @Test(arguments: TransportUnderTest.allCases)
  func `a refusal within the body is the response`(transport: TransportUnderTest) async throws {
    let refusal = "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
    let (result, _) = try await send(refusal, isFinal: true, isExpecting: false, transport)
    let failure = try #require(result.failure?.statusFailure)
    #expect(failure.response.status.code == 413)
  }
}
