import NIOCore
import NIOHTTP1

/// Holds the body of a request with `Expect: 100-continue` back until the server asks for it
/// (RFC 9110 section 10.1.1).
///
/// It goes on by itself after a second, because many servers ignore the field, and after a successful
/// response. After any other final response the body is not sent, and the connection is closed (the stream
/// in HTTP/2).
///
/// It is added when the head of such a request is written, and removed when its wait is over.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  /// As long as curl waits.
  private static let maximumDelay = TimeAmount.seconds(1)

  private var held: [(NIOAny, EventLoopPromise<Void>?)] = []
  private var timer: Scheduled<Void>?
  private var isWaiting = true

  /// Returns whether a request wants to wait.
  static func isNeeded(for head: HTTPRequestHead) -> Bool {
    head.headers.contains(name: "Expect")
      && head.headers[canonicalForm: "Expect"].contains { $0.lowercased() == "100-continue" }
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: Self.maximumDelay) {
      let (handler, context) = bound.value
      handler.resume(context)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isWaiting {
      held.append((data, promise))
    } else {
      context.write(data, promise: promise)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // First, because a handler that was removed passes nothing on.
    context.fireChannelRead(data)
    guard isWaiting, case .head(let head) = unwrapInboundIn(data) else { return }
    switch head.status.code {
    case 100, 200..<300: resume(context)
    // The connection is closed, which ends the wait.
    case 300...: timer?.cancel()
    default: break
    }
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
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
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
