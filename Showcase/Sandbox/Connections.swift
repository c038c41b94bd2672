import NIOCore
import Synchronization

/// The open connections, so that a stop can close the idle ones and let the busy ones finish.
final class Connections: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any Channel] = [:]
    var isClosing = false
  }

  private let state = Mutex(State())

  func makeHandler() -> any RemovableChannelHandler { Registration(connections: self) }

  /// Asks each connection to close after the answer that it is writing.
  func quiesce() {
    let channels = state.withLock { state in
      state.isClosing = true
      return Array(state.open.values)
    }
    for channel in channels {
      channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }
  }

  fileprivate var isClosing: Bool { state.withLock { $0.isClosing } }

  fileprivate func opened(_ channel: any Channel) {
    state.withLock { $0.open[ObjectIdentifier(channel)] = channel }
  }

  fileprivate func closed(_ channel: any Channel) {
    state.withLock { $0.open[ObjectIdentifier(channel)] = nil }
  }
}

private final class Registration: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = NIOAny

  private let connections: Connections

  init(connections: Connections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) { connections.opened(context.channel) }

  func handlerRemoved(context: ChannelHandlerContext) { connections.closed(context.channel) }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    // Accepted while the sandbox stopped: `quiesce` may have missed it.
    if connections.isClosing { context.close(promise: nil) }
  }
}
