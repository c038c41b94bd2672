import Curlew
import NIOCore
import NIOHTTP1

/// Sends the whole URL of each request to a proxy (RFC 9112 section 3.2.2), instead of the path.
///
/// AsyncHTTPClient takes the proxy for the server, and can't send a URL as a path. So the beginning of the URL comes in
/// a header field, which this handler moves.
final class WholeURL: ChannelOutboundHandler {
  typealias OutboundIn = HTTPClientRequestPart
  typealias OutboundOut = HTTPClientRequestPart

  private static let field = "Curlew-Proxied-Origin"

  /// Adds the handler to a connection to a proxy, before its first request.
  static func add(to channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
    try pipeline.addHandler(WholeURL(), position: .after(encoder))
  }

  /// Returns the URL of a request at a proxy, and adds the header fields for the handler and the proxy.
  static func prepare(
    _ request: OutgoingRequest, _ headers: inout HTTPHeaders, for server: ProxyServer
  ) -> String {
    headers.replaceOrAdd(name: field, value: request.origin)
    if !headers.contains(name: "Host"), let host = request.head.authority {
      headers.add(name: "Host", value: host)
    }
    if let authorization = server.authorization {
      headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization)
    }
    return "http://\(server.authority)\(request.head.path ?? "/")"
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data),
      let origin = head.headers.first(name: Self.field)
    else { return context.write(data, promise: promise) }
    head.headers.remove(name: Self.field)
    head.uri = origin + head.uri
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
