import NIOCore
import NIOPosix
import Sandbox

/// Sends bytes that violate the protocol, and returns the whole response.
func exchange(_ text: String, port: Int, thenClose: Bool = true) async throws -> String {
  let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .channelOption(.allowRemoteHalfClosure, value: true)
    .connect(host: "127.0.0.1", port: port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
          wrappingChannelSynchronously: channel,
          configuration: .init(isOutboundHalfClosureEnabled: true))
      }
    }
  return try await channel.executeThenClose { inbound, outbound in
    try await outbound.write(ByteBuffer(string: text))
    if thenClose { outbound.finish() }
    var response = ByteBuffer()
    // The sandbox may reset the connection of a client that violates the protocol.
    do {
      for try await buffer in inbound { response.writeImmutableBuffer(buffer) }
    } catch is IOError {}
    return String(buffer: response)
  }
}

extension PlainBrowser {
  var port: Int { Int(base.split(separator: ":").last ?? "") ?? 0 }
}

extension Sandbox {
  var port: Int? { baseURL.split(separator: ":").last.flatMap { Int($0) } }
}
