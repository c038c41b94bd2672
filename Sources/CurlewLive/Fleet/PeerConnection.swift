import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import NIOPosix

/// A kept connection to another server, for one request at a time.
final class PeerConnection: Sendable {
  /// The connection has ended, or the time limit has passed.
  struct Closed: Error {}

  /// A response with its whole body or, of a stream or a long body, what has arrived.
  struct Reply: Sendable {
    var head = HTTPResponse(status: .badGateway)
    var body = ByteBuffer()
    var isComplete = false
    var isStream: Bool { head.headerFields[.contentType] == "text/event-stream" }
  }

  /// The size of a body that is read by parts.
  private static let bodySize = 256 * 1024

  private let channel: any Channel
  private let reader: NIOLoopBound<ReplyReader>

  private init(_ channel: any Channel, _ reader: NIOLoopBound<ReplyReader>) {
    (self.channel, self.reader) = (channel, reader)
  }

  deinit { close() }

  /// Returns the host and the port of `host:port` or `[IPv6]:port`; `nil` for any other text.
  static func parts(of address: String) -> (host: String, port: Int)? {
    guard let end = address.lastIndex(of: ":"),
      let port = UInt16(address[end...].dropFirst()), port > 0
    else { return nil }
    var host = address[..<end]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    let isHost = host.allSatisfy {
      $0.isLetter || $0.isNumber || "-._".contains($0) || isBracketed && ":%".contains($0)
    }
    return isHost && !host.isEmpty ? (String(host), Int(port)) : nil
  }

  /// Opens a connection; throws if nothing accepts it.
  static func open(to address: String, within time: Duration) async throws -> PeerConnection {
    guard let (host, port) = parts(of: address) else { throw Closed() }
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(TimeAmount(time))
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      // A response is read as fast as the browser reads it.
      .channelOption(.autoRead, value: false)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(ReplyReader())
        }
      }
      .connect(host: host, port: port).get()
    let reader = channel.eventLoop.submit {
      let reader = try channel.pipeline.syncOperations.handler(type: ReplyReader.self)
      return NIOLoopBound(reader, eventLoop: channel.eventLoop)
    }
    return PeerConnection(channel, try await reader.get())
  }

  /// Ends the connection, and with it the body that is being read.
  func close() { channel.close(promise: nil) }

  /// Sends a request, and returns its response.
  func send(_ head: HTTPRequest, _ body: ByteBuffer, within time: Duration) async throws -> Reply {
    guard channel.isActive else { throw Closed() }
    let overdue = channel.eventLoop.scheduleTask(in: TimeAmount(time)) { [channel] in
      channel.close(promise: nil)
    }
    defer { overdue.cancel() }
    channel.write(HTTPClientRequestPart.head(try HTTPRequestHead(head)), promise: nil)
    if body.readableBytes > 0 {
      channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil)
    }
    channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    var reply = Reply()
    repeat {
      let next = try await read()
      (reply.head, reply.isComplete) = (next.head, next.isComplete)
      reply.body.writeImmutableBuffer(next.body)
    } while !reply.isComplete && !reply.isStream && reply.body.readableBytes <= Self.bodySize
    return reply
  }

  /// Returns what arrives next of a response that is read by parts, with its head.
  func read() async throws -> Reply {
    try await channel.eventLoop.flatSubmit { [channel, reader] in
      reader.value.next(on: channel)
    }.get()
  }
}

/// Reads more of a response when that which has arrived is consumed.
private final class ReplyReader: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private var reply = PeerConnection.Reply()
  /// Whether something has arrived that is not consumed.
  private var isNew = false
  private var promise: EventLoopPromise<PeerConnection.Reply>?

  func next(on channel: any Channel) -> EventLoopFuture<PeerConnection.Reply> {
    let promise = channel.eventLoop.makePromise(of: PeerConnection.Reply.self)
    self.promise = promise
    if isNew || !channel.isActive { end() } else { channel.read() }
    return promise.futureResult
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard head.status.code >= 200, let head = try? HTTPResponse(head) else { return }
      reply = PeerConnection.Reply(head: head)
    case .body(let bytes): reply.body.writeImmutableBuffer(bytes)
    case .end: reply.isComplete = true
    }
    isNew = true
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if isNew { end() } else if promise != nil { context.read() }
  }

  func channelInactive(context: ChannelHandlerContext) { end() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  /// Ends the wait for what has arrived, or for nothing.
  private func end() {
    guard let promise = promise.take() else { return }
    guard isNew else { return promise.fail(PeerConnection.Closed()) }
    isNew = false
    promise.succeed(reply)
    reply.body = ByteBuffer()
  }
}
