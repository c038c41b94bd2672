import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The sessions of a transport: one for each route or, on Linux, one for each request.
final class URLSessionConnections: Sendable {
  /// The route to a server.
  enum Route: Hashable {
    /// As in the session's configuration, or in the system's settings.
    case configured
    case direct
    case proxy(ProxyServer)

    /// The proxy; `nil` for a direct connection, or if it is unknown.
    var server: ProxyServer? {
      if case .proxy(let server) = self { server } else { nil }
    }
  }

  private let proxy: Proxy
  private let first: URLSessionConnection
  private let configuresProxies: Bool
  private let others = Mutex<[Route: URLSessionConnection]>([:])

  init(_ configuration: URLSessionConfiguration, _ trust: ServerTrust, _ proxy: Proxy) {
    self.proxy = proxy
    configuresProxies = configuration.connectionProxyDictionary != nil
    first = URLSessionConnection(configuration, trust)
  }

  /// The maximum number of concurrent requests to a host.
  var requestsPerHost: Int { first.requestsPerHost }

  #if canImport(FoundationNetworking)
    /// Returns the proxy that libcurl uses for a request.
    ///
    /// libcurl reads the environment's variables itself, and `URLSession` sets none of its options for proxies.
    ///
    /// - Throws: ``Client/Error/invalidRequest(_:)`` if another proxy, or none, is set.
    func route(of request: OutgoingRequest) throws(Client.Error) -> Route {
      guard !configuresProxies else {
        throw request.invalid(
          "URLSession on Linux ignores connectionProxyDictionary: use .asyncHTTPClient(proxy:)")
      }
      let server = try proxy.server(for: request)
      let used = try Proxy.libcurls.server(for: request)
      guard server == used else {
        throw request.invalid(
          "URLSession on Linux uses only the proxies of the environment, here "
            + "\(used.map { "\($0)" } ?? "none") instead of \(server.map { "\($0)" } ?? "none"): use "
            + ".asyncHTTPClient(proxy:)")
      }
      return server.map { .proxy($0) } ?? .direct
    }

    /// Returns a new session, because no connection is reused.
    ///
    /// On a reused connection, extra bytes after a response would be taken for the next response, and a POST would
    /// be sent twice if the server had closed it.
    subscript(route: Route) -> URLSessionConnection { first.successor() }
  #else
    /// Returns the route of a request.
    ///
    /// - Throws: ``Client/Error/invalidRequest(_:)`` for a malformed variable of the environment.
    func route(of request: OutgoingRequest) throws(Client.Error) -> Route {
      if proxy.usesSystem(for: request) { return .configured }
      return try proxy.server(for: request).map { .proxy($0) } ?? .direct
    }

    /// Returns the session for a route.
    subscript(route: Route) -> URLSessionConnection {
      guard route != .configured else { return first }
      return others.withLock { others in
        if let other = others[route] { return other }
        let other = first.successor(through: route.server)
        others[route] = other
        return other
      }
    }
  #endif
}

#if canImport(FoundationNetworking)
  extension Proxy {
    /// The proxies that libcurl finds in the environment at this moment; it knows no ports in `NO_PROXY`.
    fileprivate static var libcurls: Proxy {
      let current = Proxy { name in getenv(name).map { String(cString: $0) } }
      return Proxy(
        http: current.http, https: current.https, except: current.exceptions.withoutPorts)
    }
  }
#else
  extension URLSessionConfiguration {
    /// Sets the proxy for all servers; `nil` for none.
    func setProxy(_ server: ProxyServer?) {
      guard let server else {
        connectionProxyDictionary = [:]
        return
      }
      // The constants for https exist on macOS only.
      connectionProxyDictionary = [
        "HTTPEnable": 1, "HTTPProxy": server.host, "HTTPPort": server.port,
        "HTTPSEnable": 1, "HTTPSProxy": server.host, "HTTPSPort": server.port,
      ]
    }
  }

  extension ProxyServer {
    /// Returns the credentials for a proxy's challenge; `nil` if it rejected them, or is another challenge.
    func credential(for challenge: URLAuthenticationChallenge) -> URLCredential? {
      guard challenge.protectionSpace.isProxy(), challenge.previousFailureCount == 0,
        let (user, password) = userAndPassword
      else { return nil }
      return URLCredential(user: user, password: password, persistence: .none)
    }
  }
#endif
