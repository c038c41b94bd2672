import CurlewTesting
import Foundation
import NIOCore
import NIOHPACK
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport

/// A server that runs an ``ExchangeScript`` for each attempt of a request, byte by byte.
///
/// A request's path contains its number.
final class ScriptServer: Sendable {
  /// A request's attempts so far.
  struct Record {
    var attempts = 0
    var refusals = 0
    /// The script of the last attempt.
    var last: ExchangeScript?
    /// Whether the last attempt was on a reused connection.
    var isReused = false
  }

  private struct State {
    var records: [Int: Record] = [:]
    var open = 0
  }

  private let seed: UInt64
  private let state = Mutex(State())

  init(seed: UInt64) { self.seed = seed }

  /// The number of open connections.
  var openConnections: Int { state.withLock { $0.open } }

  /// Whether the scripts of a request may violate the protocol; otherwise none on its connection does.
  static func mayBeHostile(_ number: Int) -> Bool { (number / 250).isMultiple(of: 2) }

  func record(of number: Int) -> Record {
    state.withLock { $0.records[number] ?? Record() }
  }

  private func random(_ number: Int, _ attempt: Int) -> SeededGenerator {
    SeededGenerator(seed: seed &+ UInt64(number) &* 1_000_003 &+ UInt64(attempt) &* 97)
  }

  /// Records an attempt, and returns its script.
  fileprivate func script(
    for number: Int, on stream: UInt32?, isReused: Bool
  ) -> ExchangeScript {
    state.withLock { state in
      var record = state.records[number] ?? Record()
      record.attempts += 1
      record.isReused = isReused
      var random = random(number, record.attempts)
      let mayBeHostile = Self.mayBeHostile(number)
      let script: ExchangeScript
      if let stream {
        script = ExchangeScript(
          http2: stream, &random,
          isRefusable: record.refusals < 3, mayBeHostile: mayBeHostile)
      } else {
        script = ExchangeScript(http1: &random, mayBeHostile: mayBeHostile)
      }
      if script.isRefusal { record.refusals += 1 }
      record.last = script
      state.records[number] = record
      return script
    }
  }

  /// Records an attempt that arrives after GOAWAY.
  fileprivate func ignore(_ number: Int) {
    state.withLock { $0.records[number, default: Record()].attempts += 1 }
  }

  /// Starts listening; with a certificate for HTTP/2 over TLS.
  fileprivate func start(_ certificate: TestCertificate?) async throws -> any Channel {
    let tls = try certificate?.serverContext(protocols: ["h2"])
    return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1_024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        self.state.withLock { $0.open += 1 }
        channel.closeFuture.whenComplete { _ in self.state.withLock { $0.open -= 1 } }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls {
            try pipeline.addHandlers(NIOSSLServerHandler(context: tls), Frames(self))
          } else {
            try pipeline.addHandler(Lines(self))
          }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }
}

/// Continues a handler after a moment in which the client may read.
private func pause<Handler>(
  _ handler: Handler, _ context: ChannelHandlerContext,
  then proceed: @escaping @Sendable (Handler, ChannelHandlerContext) -> Void
) {
  let bound = NIOLoopBound((handler, context), eventLoop: context.eventLoop)
  context.eventLoop.scheduleTask(in: .microseconds(300)) { proceed(bound.value.0, bound.value.1) }
}

/// Ends a connection.
private func close(_ channel: any Channel, resets: Bool) {
  guard resets, let options = channel as? any SocketOptionProvider else {
    return channel.close(promise: nil)
  }
  // With a linger time of 0, closing a connection resets it.
  options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    .whenComplete { _ in channel.close(promise: nil) }
}

/// The progress of one script.
private struct Play {
  let number: Int
  var parts: [ExchangeScript.Part]
  var isWhole = false
}

/// An HTTP/1.1 connection: one request after the other.
private final class Lines: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let server: ScriptServer
  private var unread = Data()
  private var play: Play?
  private var count = 0
  private var isChunked = false
  private var rest = 0

  init(_ server: ScriptServer) { self.server = server }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unread.append(contentsOf: unwrapInboundIn(data).readableBytesView)
    while read(context) {}
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  /// Parses a head or a body; returns whether there may be more.
  private func read(_ context: ChannelHandlerContext) -> Bool {
    guard play != nil else {
      guard let end = unread.range(of: Data("\r\n\r\n".utf8)) else { return false }
      begin(String(decoding: unread[..<end.lowerBound], as: UTF8.self))
      unread = Data(unread[end.upperBound...])
      proceed(context)
      return true
    }
    guard play?.isWhole == false else { return false }
    if isChunked {
      guard let end = unread.range(of: Data("0\r\n\r\n".utf8)) else { return false }
      unread = Data(unread[end.upperBound...])
    } else {
      guard unread.count >= rest else { return false }
      unread = Data(unread.dropFirst(rest))
    }
    play?.isWhole = true
    proceed(context)
    return true
  }

  private func begin(_ head: String) {
    let number = head.split(separator: " ").dropFirst().first.flatMap { Int($0.dropFirst()) } ?? -1
    let script = server.script(for: number, on: nil, isReused: count > 0)
    count += 1
    play = Play(number: number, parts: script.parts)
    let lower = head.lowercased()
    isChunked = lower.contains("transfer-encoding: chunked")
    rest =
      lower.split(separator: "content-length: ").dropFirst().first
      .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
  }

  private func proceed(_ context: ChannelHandlerContext) {
    while var current = play, let part = current.parts.first {
      switch part {
      case .wholeRequest:
        guard current.isWhole else { return }
      case .goAway: break
      case .bytes(let data):
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: data)), promise: nil)
      case .pause:
        play?.parts.removeFirst()
        return pause(self, context) { handler, context in handler.proceed(context) }
      case .close, .reset:
        play?.parts = []
        return close(context.channel, resets: part == .reset)
      }
      current.parts.removeFirst()
      play = current
    }
    if play?.isWhole == true { play = nil }
  }
}

/// An HTTP/2 connection without a state machine.
private final class Frames: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let server: ScriptServer
  private var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
  private var unread = ByteBuffer()
  private var hasPreface = false
  private var plays: [UInt32: Play] = [:]
  private var lastStream = UInt32.max
  private var count = 0

  init(_ server: ScriptServer) { self.server = server }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    unread.writeBuffer(&bytes)
    if !hasPreface {
      guard unread.readableBytes >= 24 else { return }
      unread.moveReaderIndex(forwardBy: 24)
      hasPreface = true
      write(ExchangeScript.frame(4, 0, 0, Data()), context)
    }
    while context.channel.isActive, let frame = next() { take(frame, context) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  private typealias Frame = (type: UInt8, flags: UInt8, stream: UInt32, payload: ByteBuffer)

  private func next() -> Frame? {
    guard let start = unread.getInteger(at: unread.readerIndex, as: UInt32.self),
      let flags = unread.getInteger(at: unread.readerIndex + 4, as: UInt8.self),
      let stream = unread.getInteger(at: unread.readerIndex + 5, as: UInt32.self),
      unread.readableBytes >= 9 + Int(start >> 8)
    else { return nil }
    unread.moveReaderIndex(forwardBy: 9)
    guard let payload = unread.readSlice(length: Int(start >> 8)) else { return nil }
    return (UInt8(start & 0xff), flags, stream, payload)
  }

  private func take(_ frame: Frame, _ context: ChannelHandlerContext) {
    switch frame.type {
    case 0:
      let size = UInt32(frame.payload.readableBytes)
      if size > 0 {
        let increment = Data((0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) })
        write(ExchangeScript.frame(8, 0, 0, increment), context)
        if frame.flags & 1 == 0, plays[frame.stream] != nil {
          write(ExchangeScript.frame(8, 0, frame.stream, increment), context)
        }
      }
      if frame.flags & 1 == 1 { end(frame.stream, context) }
    case 1:
      var block = frame.payload
      let fields = try? decoder.decodeHeaders(from: &block)
      let path = fields?.first(name: ":path") ?? ""
      let number = Int(path.dropFirst()) ?? -1
      guard frame.stream <= lastStream else { return server.ignore(number) }
      let script = server.script(for: number, on: frame.stream, isReused: count > 0)
      count += 1
      plays[frame.stream] = Play(number: number, parts: script.parts)
      proceed(frame.stream, context)
      if frame.flags & 1 == 1 { end(frame.stream, context) }
    case 3: plays[frame.stream] = nil
    case 4 where frame.flags & 1 == 0: write(ExchangeScript.frame(4, 1, 0, Data()), context)
    case 6 where frame.flags & 1 == 0:
      write(ExchangeScript.frame(6, 1, 0, Data(frame.payload.readableBytesView)), context)
    default: break
    }
  }

  private func end(_ stream: UInt32, _ context: ChannelHandlerContext) {
    plays[stream]?.isWhole = true
    proceed(stream, context)
  }

  private func proceed(_ stream: UInt32, _ context: ChannelHandlerContext) {
    while var play = plays[stream], let part = play.parts.first {
      switch part {
      case .wholeRequest:
        guard play.isWhole else { return }
      case .bytes(let data): write(data, context)
      case .goAway(let last):
        write(ExchangeScript.goAway(last: last), context)
        lastStream = last
        plays = plays.filter { $0.key <= last }
        return
      case .pause:
        plays[stream]?.parts.removeFirst()
        return pause(self, context) { handler, context in handler.proceed(stream, context) }
      case .close, .reset:
        plays[stream] = nil
        return close(context.channel, resets: part == .reset)
      }
      play.parts.removeFirst()
      plays[stream] = play
    }
    if plays[stream]?.parts.isEmpty == true { plays[stream] = nil }
  }

  private func write(_ data: Data, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: data)), promise: nil)
  }
}

/// Runs a test with a script server, and shuts it down.
func withScriptServer(
  _ server: ScriptServer, _ certificate: TestCertificate?,
  _ test: (_ origin: String) async throws -> Void
) async throws {
  let listener = try await server.start(certificate)
  try await closing(listener) { port in
    try await test(certificate == nil ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)")
  }
}
