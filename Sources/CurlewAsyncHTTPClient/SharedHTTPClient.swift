import AsyncHTTPClient
import Curlew
import NIOPosix
import Synchronization

/// One `HTTPClient` for many: made when first asked for, and made anew after it was shut down.
///
/// When the last one lets go of it, it shuts down by itself.
final class SharedHTTPClient: Sendable {
  private struct State {
    var client: HTTPClient?
    /// Ends when every client that was taken out of service is down.
    var shutdown: Task<Void, any Error>?
  }

  /// The one that `.asyncHTTPClient` stands for.
  static let process = SharedHTTPClient(tls: nil)

  /// `nil` for the defaults.
  let tls: TLSSettings?
  let queue = RequestQueue(limit: HTTPClient.Configuration.connectionsPerHost)
  private let state = Mutex(State())

  init(tls: TLSSettings?) {
    self.tls = tls
  }

  deinit {
    state.withLock { $0.client }?.shutdown { _ in }
  }

  func client() -> HTTPClient {
    state.withLock { state in
      if let client = state.client { return client }
      let client = makeClient()
      state.client = client
      return client
    }
  }

  private func makeClient() -> HTTPClient {
    guard let tls else { return HTTPClient(configuration: .curlew) }
    // Network.framework, the default on Apple's systems, has no client certificates and no pins.
    return HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: .curlew(tls: tls))
  }

  func shutdown() async throws {
    let shutdown = state.withLock { state in
      if let client = state.client.take() {
        state.shutdown = Task { @concurrent [before = state.shutdown] in
          try await before?.value
          try await client.shutdown()
        }
      }
      return state.shutdown
    }
    try await shutdown?.value
  }
}
