import CurlewFleet
import NIOCore

/// A command with the promise of its reply.
struct RedisCommand: Sendable {
  let bytes: ByteBuffer
  let promise: EventLoopPromise<RedisReply>
}

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

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - timeLimit: The time limit of each command, after which the connection is closed.
  ///   - onMessage: Called with each message to a subscriber.
  init(timeLimit: TimeAmount, onMessage: @escaping @Sendable ([UInt8]) -> Void) {
    (self.timeLimit, self.onMessage) = (timeLimit, onMessage)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let command = unwrapOutboundIn(data)
    guard failure == nil, context.channel.isActive else {
      let error = failure ?? .unreachable("The connection to Redis is closed.")
      command.promise.fail(error)
      promise?.fail(error)
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
    let buffer = unwrapInboundIn(data)
    do throws(FleetError) {
      for reply in try buffer.withTypedBytes(decoder.decode) {
        let elements = reply.elements
        if elements.first?.text == "message", case .string(let message)? = elements.last {
          onMessage(message)
        } else if let (promise, timer) = waiting.popFirst() {
          timer.cancel()
          promise.succeed(reply)
        } else {
          throw .malformed("Redis sent a reply without a command.")
        }
      }
    } catch {
      close(context, error)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    close(context, .unreachable("Redis closed the connection."))
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

extension ByteBuffer {
  fileprivate func withTypedBytes<Value>(
    _ body: (UnsafeRawBufferPointer) throws(FleetError) -> Value
  ) throws(FleetError) -> Value {
    let result = withUnsafeReadableBytes { bytes -> Result<Value, FleetError> in
      do throws(FleetError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
