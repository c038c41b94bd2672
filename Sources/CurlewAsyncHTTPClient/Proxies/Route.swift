import AsyncHTTPClient
import Curlew
import NIOCore
import NIOHTTP1

/// The route of a connection to a server.
enum Route: Hashable, Sendable {
  case direct
  /// Through a tunnel (`CONNECT`), which carries TLS.
  case tunnel(ProxyServer)
  /// To a proxy that receives the requests themselves, with their whole URL (RFC 9112 section 3.2.2).
  case forwarding(ProxyServer)

  /// Returns the route of a request through a proxy.
  init(_ request: OutgoingRequest, through server: ProxyServer) {
    self = request.head.scheme == "https" ? .tunnel(server) : .forwarding(server)
  }

  /// The proxy; `nil` for a direct route.
  var proxy: ProxyServer? {
    switch self {
    case .direct: nil
    case .tunnel(let server), .forwarding(let server): server
    }
  }

  /// The proxy that receives the requests themselves; `nil` for the other routes.
  var forwardingProxy: ProxyServer? {
    if case .forwarding(let server) = self { server } else { nil }
  }

  /// Returns the name of the host that the connection of a request ends at.
  func origin(of request: OutgoingRequest) -> String {
    forwardingProxy.map { "http://\($0.authority)" } ?? request.origin
  }
}

extension HTTPClient.Configuration {
  /// Returns this configuration for connections on a route.
  func on(_ route: Route) -> HTTPClient.Configuration {
    var configuration = self
    switch route {
    case .direct: break
    case .tunnel(let server):
      configuration.proxy = .server(
        host: server.host, port: server.port,
        // Without the scheme, `Basic `.
        authorization: server.authorization.map { .basic(credentials: String($0.dropFirst(6))) })
    case .forwarding:
      // AsyncHTTPClient itself makes tunnels for http servers, too, which most proxies refuse.
      let watch = http1_1ConnectionDebugInitializer
      configuration.http1_1ConnectionDebugInitializer = { channel in
        (watch?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()).flatMapThrowing {
          try WholeURL.add(to: channel)
        }
      }
    }
    return configuration
  }
}
