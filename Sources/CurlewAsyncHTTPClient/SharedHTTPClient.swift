import AsyncHTTPClient
import Synchronization

/// One `HTTPClient` for many: made when first asked for, and made anew after it was shut down.
final class SharedHTTPClient: Sendable {
  private struct State {
    var client: HTTPClient?
    /// Ends when every client that was taken out of service is down.
    var shutdown: Task<Void, any Error>?
  }

  /// The one that `.asyncHTTPClient` stands for.
  static let process = SharedHTTPClient()

  private let state = Mutex(State())

  func client() -> HTTPClient {
    state.withLock { state in
      if let client = state.client { return client }
      let client = HTTPClient(configuration: .curlew)
      state.client = client
      return client
    }
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
