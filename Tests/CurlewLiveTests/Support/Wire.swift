import NIOCore
import NIOPosix

/// A connection that sends bytes verbatim, and reads only on request.
final class Wire {
  private let channel: any Channel
  private var chunks: AsyncStream<String>.AsyncIterator

  /// - Parameter source: The local address of the connection.
  init(port: Int, from source: String? = nil) async throws {
    let (chunks, chunk) = AsyncStream.makeStream(of: String.self)
    self.chunks = chunks.makeAsyncIterator()
    var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: false)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .channelInitializer { $0.pipeline.addHandler(Reader(chunk)) }
    if let source { bootstrap = try bootstrap.bind(to: SocketAddress(ipAddress: source, port: 0)) }
    channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text))
  }

  /// Sends a text, as far as the server accepts it.
  func trySend(_ text: String) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }

  /// Reads until a text arrives or the connection ends; returns everything received since the last call.
  func read(until text: String? = nil) async throws -> String {
    // Setting the option fails on a closed connection.
    try? await channel.setOption(.autoRead, value: true).get()
    var all = ""
    while let chunk = await chunks.next(isolation: #isolation) {
      all += chunk
      if let text, all.contains(text) { break }
    }
    return all
  }

  /// Closes the client's side of the connection.
  func endSending() async throws { try await channel.close(mode: .output) }

  func close() { channel.close(promise: nil) }

  private final class Reader: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let chunk: AsyncStream<String>.Continuation

    init(_ chunk: AsyncStream<String>.Continuation) { self.chunk = chunk }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      chunk.yield(String(buffer: unwrapInboundIn(data)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .inputClosed? = event as? ChannelEvent { chunk.finish() }
    }

    func channelInactive(context: ChannelHandlerContext) { chunk.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { chunk.finish() }
  }
}
