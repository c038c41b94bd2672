import CurlewFaultServer
import Foundation
import NIOCore
import NIOPosix

/// A client's connection that sends and receives raw bytes.
final class RawConnection {
  /// The way in which the server ended the connection.
  enum End: Sendable {
    case closed, reset
  }

  struct TooShort: Error {
    let received: String
  }

  private let channel: any Channel
  private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  private var unread = Data()

  fileprivate init(
    _ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
  ) {
    self.channel = channel
    self.inbound = inbound
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text)).get()
  }

  /// Sends a request for a path on a persistent connection.
  func ask(_ path: String = "/x") async throws {
    try await send("GET \(path) HTTP/1.1\r\nHost: test\r\n\r\n")
  }

  /// Returns this many bytes as soon as they have arrived.
  func receive(_ count: Int) async throws -> String {
    while unread.count < count {
      guard let buffer = try await inbound.next(isolation: #isolation) else {
        throw TooShort(received: String(decoding: unread, as: UTF8.self))
      }
      unread.append(contentsOf: buffer.readableBytesView)
    }
    defer { unread = Data(unread.dropFirst(count)) }
    return String(decoding: unread.prefix(count), as: UTF8.self)
  }

  /// Receives the length of an expected text; returns whether it matches.
  func receives(_ text: String) async throws -> Bool {
    try await receive(text.utf8.count) == text
  }

  /// Returns the remaining text, and how the connection ended.
  func rest() async -> (text: String, end: End) {
    var end = End.closed
    do {
      while let buffer = try await inbound.next(isolation: #isolation) {
        unread.append(contentsOf: buffer.readableBytesView)
      }
    } catch {
      end = .reset
    }
    return (String(decoding: unread, as: UTF8.self), end)
  }
}

/// Runs a test with a connection, which is closed afterwards.
func withConnection<Value>(
  to server: FaultServer, _ test: (RawConnection) async throws -> Value
) async throws -> Value {
  let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .connect(host: "127.0.0.1", port: server.port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
      }
    }
  return try await connection.executeThenClose { inbound, _ in
    let raw = RawConnection(connection.channel, inbound.makeAsyncIterator())
    return try await test(raw)
  }
}
