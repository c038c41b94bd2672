import Foundation
import NIOCore

/// One request at the server, and the ways to answer it.
struct Exchange: Sendable {
  let request: ServerRequest
  /// Which of the server's connections it came on, from 0.
  let connection: Int
  let channel: any Channel
  let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

  var path: String { String(request.target.prefix { $0 != "?" }) }

  /// Answers with a `Content-Length`; without its body when it answers `HEAD`.
  func answer(
    _ status: Int = 200, _ fields: [(String, String)] = [], _ body: some DataProtocol
  ) async throws {
    var head = "HTTP/1.1 \(status) Status\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if status != 204 && status != 304 { head += "Content-Length: \(body.count)\r\n" }
    var buffer = ByteBuffer(string: head + "\r\n")
    if request.method != "HEAD" { buffer.writeBytes(body) }
    try await outbound.write(buffer)
  }

  func answer(
    _ status: Int = 200, _ fields: [(String, String)] = [], _ body: String = ""
  ) async throws {
    try await answer(status, fields, Data(body.utf8))
  }

  /// Sends bytes as they are.
  func write(_ text: String) async throws {
    try await outbound.write(ByteBuffer(string: text))
  }

  func write(_ data: Data) async throws {
    try await outbound.write(ByteBuffer(bytes: data))
  }

  /// Sends zeros until the client closes the connection.
  func writeUntilClosed() async {
    let zeros = ByteBuffer(repeating: 0, count: 64 * 1024)
    while (try? await outbound.write(zeros)) != nil {}
    await closed()
  }

  func close() async throws {
    try await channel.close()
  }

  /// Waits until the client closed the connection.
  func closed() async {
    try? await channel.closeFuture.get()
  }
}
