import NIOCore
import NIOHTTP1

/// Holds the body of a request with `Expect: 100-continue` back until the server asks for it
/// (RFC 9110 section 10.1.1).
///
/// It goes on by itself after a second, because many servers ignore the field. A final response ends the
/// wait, too: then the body is not sent, and AsyncHTTPClient closes the connection.
final class ContinueHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// As long as curl waits.
  private static let longestWait = TimeAmount.seconds(1)

  private var held: [(NIOAny, EventLoopPromise<Void>?)] = []
  private var timer: Scheduled<Void>?
  private var isWaiting = false

  /// Adds a handler to a connection or a stream, below AsyncHTTPClient's own.
  static func add(
    to channel: any Channel, after codec: any (ChannelHandler).Type
  ) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      func add(after codec: (some ChannelHandler).Type) throws {
        try pipeline.addHandler(ContinueHandler(), position: .after(pipeline.handler(type: codec)))
      }
      try add(after: codec)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      context.write(data, promise: promise)
      guard head.headers.contains(name: "Expect"), !isWaiting,
        head.headers[canonicalForm: "Expect"].contains(where: { $0.lowercased() == "100-continue" })
      else { return }
      isWaiting = true
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      timer = context.eventLoop.scheduleTask(in: Self.longestWait) {
        let (handler, context) = bound.value
        handler.resume(context)
      }
    case .body, .end:
      if isWaiting {
        held.append((data, promise))
      } else {
        context.write(data, promise: promise)
      }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isWaiting, case .head(let head) = unwrapInboundIn(data) {
      // After a final response AsyncHTTPClient closes the connection, which ends the wait.
      if head.status == .continue {
        resume(context)
      } else if head.status.code >= 200 {
        timer?.cancel()
      }
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    drop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { drop() }

  private func resume(_ context: ChannelHandlerContext) {
    let parts = stopWaiting()
    for (data, promise) in parts { context.write(data, promise: promise) }
    if !parts.isEmpty { context.flush() }
  }

  private func drop() {
    for (_, promise) in stopWaiting() { promise?.fail(ChannelError.ioOnClosedChannel) }
  }

  /// Returns what was held.
  private func stopWaiting() -> [(NIOAny, EventLoopPromise<Void>?)] {
    timer?.cancel()
    (timer, isWaiting) = (nil, false)
    defer { held = [] }
    return held
  }
}
