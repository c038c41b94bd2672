import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A proxy that delays event streams, rejects them, or forwards nothing at all.
final class HoldingProxy: Sendable {
  /// The handling of subsequent responses.
  enum Mode {
    case passes
    /// Event streams are buffered, as by proxies that wait for the end of a response.
    case holdsStreams
    /// Event streams are rejected.
    case refusesStreams
    /// Nothing is forwarded in either direction, as in a network that hangs.
    case hangs
  }

  private struct State {
    var mode: Mode
    /// The number of forwarded response bytes.
    var responses = 0
    var held: [ObjectIdentifier: (to: any Channel, bytes: [ByteBuffer])] = [:]
  }

  private let state: Mutex<State>
  private let server: Int

  private init(to server: Int, _ mode: Mode) {
    self.server = server
    state = Mutex(State(mode: mode))
  }

  /// Runs a test with a proxy in front of a port.
  static func run(
    to server: Int, _ mode: Mode, _ test: (HoldingProxy, _ origin: String) async throws -> Void
  ) async throws {
    let proxy = HoldingProxy(to: server, mode)
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { proxy.accept($0) }
      .bind(host: "127.0.0.1", port: 0).get()
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await test(proxy, "http://127.0.0.1:\(listener.localAddress?.port ?? 0)"))
    } catch {
      result = .failure(error)
    }
    try? await listener.close()
    try result.get()
  }

  /// The number of forwarded response bytes, including the heads.
  var responses: Int { state.withLock { $0.responses } }

  /// Changes the mode, and forwards the held bytes.
  func become(_ mode: Mode) {
    let held = state.withLock { state in
      state.mode = mode
      defer { state.held = [:] }
      return state.held.values
    }
    for (channel, bytes) in held {
      for part in bytes { channel.writeAndFlush(part, promise: nil) }
    }
  }

  private func accept(_ browser: any Channel) -> EventLoopFuture<Void> {
    ClientBootstrap(group: browser.eventLoop)
      .channelInitializer { server in
        server.eventLoop.makeCompletedFuture {
          try server.pipeline.syncOperations.addHandler(
            Passing(to: browser, self, isResponse: true))
        }
      }
      .connect(host: "127.0.0.1", port: server)
      .flatMap { server in
        browser.eventLoop.makeCompletedFuture {
          try browser.pipeline.syncOperations.addHandler(
            Passing(to: server, self, isResponse: false))
        }
      }
  }

  /// Forwards bytes, or holds them.
  fileprivate func pass(_ bytes: ByteBuffer, to channel: any Channel, isResponse: Bool) {
    let text = isResponse ? String(buffer: bytes) : ""
    let passed = state.withLock { state -> ByteBuffer? in
      let id = ObjectIdentifier(channel)
      let isStream = text.contains("text/event-stream")
      if state.mode == .refusesStreams, isStream {
        let refusal = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        return ByteBuffer(string: refusal)
      }
      let isHeld = state.held[id] != nil || state.mode == .hangs
      guard isHeld || state.mode == .holdsStreams && isStream else {
        if isResponse { state.responses += bytes.readableBytes }
        return bytes
      }
      state.held[id, default: (channel, [])].bytes.append(bytes)
      return nil
    }
    if let passed { channel.writeAndFlush(passed, promise: nil) }
  }
}

private final class Passing: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let other: any Channel
  private let proxy: HoldingProxy
  private let isResponse: Bool

  init(to other: any Channel, _ proxy: HoldingProxy, isResponse: Bool) {
    (self.other, self.proxy, self.isResponse) = (other, proxy, isResponse)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    proxy.pass(unwrapInboundIn(data), to: other, isResponse: isResponse)
  }

  func channelInactive(context: ChannelHandlerContext) {
    other.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
