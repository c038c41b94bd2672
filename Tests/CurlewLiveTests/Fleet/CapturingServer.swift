import NIOCore
import NIOPosix

/// A server that takes one request, and closes its connection without a response.
final class CapturingServer: Sendable {
  private let channel: any Channel
  private let requests: AsyncStream<String>
  var port: Int { channel.localAddress?.port ?? 0 }

  init() async throws {
    let (requests, request) = AsyncStream.makeStream(of: String.self)
    self.requests = requests
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Reader(request))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  deinit { channel.close(promise: nil) }

  /// Returns the first request with a JSON body.
  func request() async throws -> String {
    for await request in requests { return request }
    throw CancellationError()
  }

  private final class Reader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let request: AsyncStream<String>.Continuation
    private var text = ""

    init(_ request: AsyncStream<String>.Continuation) { self.request = request }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      text += String(buffer: unwrapInboundIn(data))
      guard text.hasSuffix("}") else { return }
      request.yield(text)
      context.close(promise: nil)
    }
  }
}
