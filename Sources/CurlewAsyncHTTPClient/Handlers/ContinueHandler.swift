import NIOCore
import NIOHTTP1

/// Holds the body of a request with `Expect: 100-continue` back until the server asks for it
/// (RFC 9110 section 10.1.1).
///
/// It goes on by itself after a second, because many servers ignore the field, and after a successful
/// response. After any other final response the body is not sent, and the connection is closed (the stream
/// in HTTP/2).
final class ContinueHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// As long as curl waits.
  private static let longestWait = TimeAmount.seconds(1)

  private var held: [(NIOAny, EventLoopPromise<Void>?)] = []
  private var timer: Scheduled<Void>?
  private var isWaiting = false

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
      switch head.status.code {
      case 100, 200..<300: resume(context)
      // The connection is closed, which ends the wait.
      case 300...: timer?.cancel()
      default: break
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
