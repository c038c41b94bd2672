public import CurlewTesting
public import Foundation
import NIOCore
import NIOPosix

/// A request received by a ``FaultServer``, with functions to respond to it manually.
///
/// ```swift
/// server.handle(.get, "/odd") { exchange in
///   try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
/// }
/// ```
public struct Exchange: Sendable {
  /// The request as received.
  public let request: WireRequest
  let channel: any Channel
  let server: FaultServer

  /// The number of the connection that the request arrived on, from 0.
  public var connection: Int { request.connection }

  /// The request's path, without the query.
  public var path: String { request.path }

  /// Responds with bytes and their `Content-Length`; without the bytes to a `HEAD` request.
  public func respond(
    _ status: Int = 200, _ fields: [(String, String)] = [], _ body: some DataProtocol
  ) async throws {
    var head = "HTTP/1.1 \(status) Status\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if status != 204 && status != 304 { head += "Content-Length: \(body.count)\r\n" }
    var bytes = Data((head + "\r\n").utf8)
    if request.method != "HEAD" { bytes.append(contentsOf: body) }
    try await write(bytes)
  }

  /// Responds with a text and its `Content-Length`.
  public func respond(
    _ status: Int = 200, _ fields: [(String, String)] = [], _ body: String = ""
  ) async throws {
    try await respond(status, fields, Data(body.utf8))
  }

  /// Responds with a stub's response and its faults.
  public func respond(with response: StubResponse) async throws {
    let script = try await response.script(for: request.outgoing, on: server.clock)
    var player = WirePlayer(script, on: server.clock)
    while let event = try await player.next() {
      switch event {
      case .bytes(let bytes): try await write(bytes)
      case .cut: return try await close()
      case .reset: return try await reset()
      }
    }
  }

  /// Sends a text unchanged.
  public func write(_ text: String) async throws {
    try await write(Data(text.utf8))
  }

  /// Sends bytes unchanged, and returns when they are flushed.
  public func write(_ data: Data) async throws {
    // `NIOAsyncChannel`'s outbound writer loses its buffer when the channel closes.
    try await channel.writeAndFlush(ByteBuffer(bytes: data)).get()
  }

  /// Closes the connection in an orderly way (FIN).
  public func close() async throws {
    server.recordClosing(of: connection)
    try await channel.close()
  }

  /// Resets the connection (RST).
  public func reset() async throws {
    server.recordClosing(of: connection)
    // With a linger time of 0, closing a connection resets it.
    try await (channel as? any SocketOptionProvider)?
      .setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    try await channel.close()
  }

  /// Waits until the connection is closed.
  public func closed() async {
    try? await channel.closeFuture.get()
  }
}
