import Curlew
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// Rejects the heads of responses that AsyncHTTPClient can't handle, and identifies requests that the
/// server did not process.
///
/// It is the first handler of a stream of HTTP/2, below the codec.
final class StreamGuard: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias InboundOut = HTTP2Frame.FramePayload

  private let connection: ConnectionGuard?
  /// Whether the connection had failed before the stream was created.
  private let isLate: Bool
  /// The number of the connection's reads when the stream was created.
  private let reads: Int
  /// Whether the final head has arrived; further heads are trailers.
  private var hasHead = false
  private var isRefused = false
  private var isActive = false

  init(_ connection: ConnectionGuard?) {
    self.connection = connection
    isLate = connection?.failure != nil
    reads = connection?.frames.reads ?? 0
  }

  /// Adds the handlers to a stream, before its request.
  static func watch(_ channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let connection = try? channel.parent?.pipeline.syncOperations.handler(
        type: ConnectionGuard.self)
      let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
      try pipeline.addHandler(StreamGuard(connection), position: .before(codec))
      let early = EarlyResponseHandler(nil)
      try pipeline.addHandler(early, position: .after(codec))
      try pipeline.addHandler(ShutdownGuard(early), position: .last)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isRefused { return }
    if !hasHead {
      switch unwrapInboundIn(data) {
      case .headers(let block):
        let texts = block.headers[":status"]
        guard let code = Self.code(texts) else {
          let text = texts.isEmpty ? "missing" : texts.joined(separator: ", ")
          return refuse(context, "the response's status is \(text)")
        }
        // `HTTP2FramePayloadToHTTP1ClientCodec` drops the end: the request would wait for its time limit.
        guard code >= 200 || !block.endStream else {
          return refuse(context, "the response ends with an interim head (\(code))")
        }
        hasHead = code >= 200
      // AsyncHTTPClient ends the process (`HTTPRequestStateMachine`).
      case .data: return refuse(context, "the response's body has no head")
      default: break
      }
    }
    context.fireChannelRead(data)
  }

  private func refuse(_ context: ChannelHandlerContext, _ reason: String) {
    isRefused = true
    context.fireErrorCaught(Client.TransportFailure(.protocolError, reason: reason))
    context.close(promise: nil)
  }

  /// Returns the code of a head's `:status`: three digits, except for 101, which HTTP/2 excludes (RFC
  /// 9113 sections 8.3.2 and 8.6).
  private static func code(_ texts: [String]) -> Int? {
    guard texts.count == 1, let text = texts.first, text.utf8.count == 3, let code = Int(text),
      100...999 ~= code, code != 101
    else { return nil }
    return code
  }

  func channelActive(context: ChannelHandlerContext) {
    isActive = true
    connection?.streamOpens()
    context.fireChannelActive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.fireErrorCaught(unprocessed(context, error) ?? error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    // A stream that is closed before it is active becomes inactive, too.
    if isActive { connection?.streamCloses() }
    if let failure = unprocessed(context, nil) ?? connection?.failure {
      context.fireErrorCaught(failure)
    } else if !hasHead, isReused(context) {
      context.fireErrorCaught(StaleConnectionError())
    }
    if !hasHead { connection?.streamEnded(id(context), since: reads) }
    context.fireChannelInactive()
  }

  /// Returns an error if the server did not process the request (RFC 9113 section 8.7).
  ///
  /// - Parameter error: The stream's error; `nil` if it has ended, such as with its connection.
  private func unprocessed(
    _ context: ChannelHandlerContext, _ error: (any Error)?
  ) -> UnprocessedError? {
    let isRefused = (error as? NIOHTTP2Errors.StreamClosed)?.errorCode == .refusedStream
    let isLate = isLate || error is NIOHTTP2Errors.CreatedStreamAfterGoaway
    let id = id(context) ?? .maxID
    let isBeyond = connection?.lastStream.map { id > $0 } ?? false
    let isUnsent = error == nil && connection.map { Int(id) > $0.frames.lastOpened } ?? false
    guard !hasHead, isRefused || isLate || isBeyond || isUnsent else { return nil }
    return UnprocessedError(isProgress: isBeyond && connection?.lastStream ?? 0 > 0)
  }

  /// Returns whether the connection had earlier requests.
  private func isReused(_ context: ChannelHandlerContext) -> Bool {
    id(context).map { $0 > 1 } ?? false
  }

  private func id(_ context: ChannelHandlerContext) -> HTTP2StreamID? {
    try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
  }
}

/// An error for a request that the server did not process, so that it can be retried with any method.
struct UnprocessedError: Error {
  /// Whether the server processed other requests on the same connection.
  let isProgress: Bool
}

/// An error for a request on a reused connection that the server closed without a byte of a response.
struct StaleConnectionError: Error {}
