import CurlewFleet
import NIOCore

/// Sends commands one after another without waiting, and matches the replies in order; runs on its connection's event loop.
final class RedisHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = RedisCommand
  typealias OutboundOut = ByteBuffer

  private let timeLimit: TimeAmount
  private let onMessage: @Sendable ([UInt8]) -> Void
  private let decoder = RedisDecoder()
  private var waiting = CircularBuffer<
    (promise: EventLoopPromise<RedisReply>, timer: Scheduled<Void>)
  >()
  private var failure: FleetError?

  /// Creates a handler that closes the connection if a command takes longer than the time limit.
  init(timeLimit: TimeAmount, onMessage: @escaping @Sendable ([UInt8]) -> Void) {
    (self.timeLimit, self.onMessage) = (timeLimit, onMessage)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let command = unwrapOutboundIn(data)
    guard failure == nil, context.channel.isActive else {
      command.promise.fail(failure ?? .closed)
      promise?.fail(failure ?? .closed)
      return
    }
    let box = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let timer = context.eventLoop.scheduleTask(in: timeLimit) {
      box.value.0.close(box.value.1, .timeout)
    }
    waiting.append((command.promise, timer))
    context.write(wrapOutboundOut(command.bytes), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard failure == nil else { return }
    do throws(FleetError) {
      for reply in try decoder.decode(unwrapInboundIn(data)) {
        let elements = reply.elements
        if elements.first?.text == "message", case .string(let message)? = elements.last {
          onMessage(message)
        } else if let (promise, timer) = waiting.popFirst() {
          timer.cancel()
          promise.succeed(reply)
        } else {
          throw .unreachable("Redis sent a reply without a command.")
        }
      }
    } catch {
      close(context, error)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    close(context, .closed)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    close(context, .unreachable("The connection to Redis failed: \(type(of: error))."))
  }

  private func close(_ context: ChannelHandlerContext, _ error: FleetError) {
    guard failure == nil else { return }
    failure = error
    for (promise, timer) in waiting {
      timer.cancel()
      promise.fail(error)
    }
    waiting.removeAll()
    context.close(promise: nil)
  }
}
