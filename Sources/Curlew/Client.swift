// Re-exported, so that apps need not import other modules.
@_exported public import CurlewSupport
import Foundation
@_exported public import HTTPTypes

/// A client for one API, which sends the requests of endpoints and returns decoded values.
///
/// ```swift
/// let github = Client(baseURL: "https://api.github.com") {
///   $0.middleware = [.bearer(token)]
/// }
/// let repository = try await github.send(GitHub.repository(name))   // throws(Client.Error)
/// ```
///
/// Copies of a client share its transport and connections.
public struct Client: Sendable {
  /// The client's state, a class so that every request carries only one reference.
  final class Storage: Sendable {
    let baseURL: BaseURL
    let configuration: Configuration
    let timers: TimerTable
    let chain: Chain
    let session: BearerSession

    init(_ baseURL: BaseURL, _ configuration: Configuration) {
      self.baseURL = baseURL
      self.configuration = configuration
      timers = TimerTable(
        clock: configuration.clock, tolerance: configuration.suspensionTolerance)
      chain = Chain(configuration, timers)
      session = configuration.session
      session.add(self)
    }
  }

  let storage: Storage

  /// The URL that every endpoint's path is appended to.
  public var baseURL: BaseURL { storage.baseURL }
  /// The configuration for sending requests and reading responses.
  public var configuration: Configuration { storage.configuration }

  /// Creates a client for an API.
  ///
  /// - Parameters:
  ///   - baseURL: The API's base URL. A malformed literal ends the process; for text from outside the
  ///     program, use `try BaseURL(text)`.
  ///   - configure: Changes the default configuration.
  public init(baseURL: BaseURL, configure: (inout Configuration) -> Void = { _ in }) {
    var configuration = Configuration()
    configure(&configuration)
    storage = Storage(baseURL, configuration)
  }

  /// Sends an endpoint's request and returns the decoded value.
  ///
  /// ```swift
  /// let issues = try await github.send(GitHub.issues(of: name), cache: .reload)
  /// ```
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint, or a request, such as `.get("/user")`.
  ///   - cache: How the cache is used; `nil` for ``Configuration/cacheMode``.
  /// - Throws: ``Client/Error``. Cancelling the task stops the transfer and throws
  ///   ``Client/Error/cancelled``.
  public func send<E: Endpoint>(
    _ endpoint: E, cache: CacheMode? = nil
  ) async throws(Error) -> E.Response {
    try await perform(endpoint, cache: cache.map { CacheUse(mode: $0) }).value
  }

  /// Sends an endpoint's request and returns the decoded value or the error.
  public func result<E: Endpoint>(
    of endpoint: E, cache: CacheMode? = nil
  ) async -> Result<E.Response, Error> {
    do {
      return .success(try await send(endpoint, cache: cache))
    } catch {
      return .failure(error)
    }
  }

  /// Sends an endpoint's request and returns the decoded value with the response's head: its status,
  /// its header fields, such as `Link` or `ETag`, its URL after redirects, and its cache status.
  ///
  /// - Throws: ``Client/Error``.
  public func response<E: Endpoint>(
    for endpoint: E, cache: CacheMode? = nil
  ) async throws(Error) -> Response<E.Response> {
    try await perform(endpoint, cache: cache.map { CacheUse(mode: $0) })
  }
}

extension Client: Described {
  /// The type's name and the base URL.
  public var description: String { "Client(\(baseURL))" }
}
