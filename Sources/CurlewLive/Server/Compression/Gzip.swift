import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Compresses what is sent many times.
enum Gzip {
  /// Returns bytes compressed with gzip; `nil` if that does not make them fewer.
  static func compress(_ bytes: ByteBuffer) -> ByteBuffer? {
    // swift-nio-extras has no function for it, only a handler of responses.
    let channel = EmbeddedChannel(handler: HTTPResponseCompressor())
    defer { _ = try? channel.finish() }
    var compressed = ByteBuffer()
    do {
      let fields: HTTPHeaders = ["Accept-Encoding": "gzip"]
      let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: fields)
      try channel.writeInbound(HTTPServerRequestPart.head(request))
      let response = HTTPResponseHead(version: .http1_1, status: .ok)
      channel.write(HTTPServerResponsePart.head(response), promise: nil)
      channel.write(HTTPServerResponsePart.body(.byteBuffer(bytes)), promise: nil)
      channel.write(HTTPServerResponsePart.end(nil), promise: nil)
      channel.flush()
      while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
        if case .body(.byteBuffer(var chunk)) = part { compressed.writeBuffer(&chunk) }
      }
    } catch {
      return nil
    }
    let isSmaller = 0 < compressed.readableBytes && compressed.readableBytes < bytes.readableBytes
    return isSmaller ? compressed : nil
  }
}
