import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Many connections from misbehaving clients, which reconnect when the server closes them.
final class Attack: Sendable {
  let name: String
  private let clients: [(address: String, connections: Int)]
  /// Returns the bytes that a connection sends first.
  private let opening: @Sendable () -> String
  /// The bytes that each connection sends every second.
  private let more: String
  private let readsResponses: Bool
  /// The open connections; `nil` after the attack.
  private let channels = Mutex<[ObjectIdentifier: any Channel]?>([:])
  private let loop = MultiThreadedEventLoopGroup.singleton.next()

  private init(
    _ name: String, from clients: [(address: String, connections: Int)], more: String = "",
    readsResponses: Bool = true, _ opening: @escaping @Sendable () -> String
  ) {
    self.name = name
    self.clients = clients
    self.opening = opening
    self.more = more
    self.readsResponses = readsResponses
  }

  /// A single address that starts many requests and never completes them.
  static var slowHeads: Attack {
    Attack("700 slow heads", from: [("127.0.0.2", 700)], more: "X: y\r\n") {
      "GET /issues/92 HTTP/1.1\r\nHost: a\r\n"
    }
  }

  /// A single address that opens many streams and never reads them.
  static var unreadStreams: Attack {
    Attack("2,000 unread streams", from: [("127.0.0.3", 2_000)], readsResponses: false) {
      let tab = String(format: "%016x", UInt64.random(in: 0 ... .max))
      return
        "GET /issues/92/live?address=%2Fissues%2F92 HTTP/1.1\r\nHost: a\r\nLive-Tab: \(tab)\r\n\r\n"
    }
  }

  /// Many addresses that load a page on many connections each, and keep them open.
  static var crowd: Attack {
    Attack("100 addresses, 100 each", from: (1...100).map { ("127.0.1.\($0)", 100) }) {
      "GET /issues/92 HTTP/1.1\r\nHost: a\r\n\r\n"
    }
  }

  /// Opens all connections.
  func start(port: Int) {
    for client in clients {
      for _ in 0..<client.connections { connect(from: client.address, to: port) }
    }
  }

  private func connect(from address: String, to port: Int) {
    let connecting = ClientBootstrap(group: loop)
      .channelOption(.autoRead, value: readsResponses)
      .channelInitializer { $0.pipeline.addHandler(Deaf()) }
      .bind(to: try! SocketAddress(ipAddress: address, port: 0))
      .connect(host: "127.0.0.1", port: port)
    connecting.whenSuccess { [self] channel in
      let isOver = channels.withLock { channels in
        channels?[ObjectIdentifier(channel)] = channel
        return channels == nil
      }
      guard !isOver else { return channel.close(promise: nil) }
      channel.writeAndFlush(ByteBuffer(string: opening()), promise: nil)
      let task = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) {
        [more] _ in
        if !more.isEmpty { channel.writeAndFlush(ByteBuffer(string: more), promise: nil) }
      }
      channel.closeFuture.whenComplete { _ in
        task.cancel()
        self.channels.withLock { $0?[ObjectIdentifier(channel)] = nil }
      }
    }
    connecting.flatMap(\.closeFuture).whenComplete { [self] _ in
      loop.scheduleTask(in: .seconds(1)) {
        guard self.channels.withLock({ $0 != nil }) else { return }
        self.connect(from: address, to: port)
      }
    }
  }

  func stop() {
    let channels = channels.withLock { channels in
      defer { channels = nil }
      return channels ?? [:]
    }
    for channel in channels.values { channel.close(promise: nil) }
  }
}

/// Discards the bytes that it reads.
private final class Deaf: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
