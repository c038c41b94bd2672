import Curlew
import Synchronization

/// The HTTP clients of a transport: for direct connections, and for each proxy.
final class RoutedClients: Sendable {
  /// The clients of `.asyncHTTPClient`.
  static let process = RoutedClients(.process, .environment)

  private let direct: SharedHTTPClient
  private let proxy: Proxy
  private let proxied = Mutex<[Route: SharedHTTPClient]>([:])

  init(_ direct: SharedHTTPClient, _ proxy: Proxy) {
    self.direct = direct
    self.proxy = proxy
  }

  /// Returns the client for a request.
  ///
  /// - Throws: ``Client/Error/invalidRequest(_:)`` for a malformed variable of the environment.
  func client(for request: OutgoingRequest) throws(Client.Error) -> SharedHTTPClient {
    guard let server = try proxy.server(for: request) else { return direct }
    let route = Route(request, through: server)
    return proxied.withLock { proxied in
      if let client = proxied[route] { return client }
      let client = direct.on(route)
      proxied[route] = client
      return client
    }
  }

  /// Shuts the clients down and returns when their connections are closed.
  func shutdown() async throws {
    let proxied = proxied.withLock { Array($0.values) }
    for client in [direct] + proxied { try await client.shutdown() }
  }
}
