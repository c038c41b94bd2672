package import Curlew
package import CurlewRecording
import Foundation
import HTTPTypes
import Platform

/// The network configuration that the clients share.
package struct Network {
  package var transport: any Transport
  /// Whether servers respond instead of a recording, whose rate limits and failures are in the
  /// past.
  var isLive: Bool
  /// The retry policy.
  package var retries = RetryPolicy()
  /// The observers of each request.
  package var observers: [any RequestObserver]
  /// The recorder of requests and responses.
  var recorder: HARRecorder?
  /// The cache of responses; `nil` for none.
  var cache: ResponseCache?
  /// The connection status, derived from the clients' requests.
  package let connection = ConnectionStatus()
  /// Whether requests are answered from the cache only.
  var isOffline: Bool
  /// Returns the visitor of the current task if the visitor has individual server options; `nil` if
  /// the shared options apply.
  package var visitor: (@Sendable () -> String?)?

  /// The units of GitHub's rate limit that several servers share; `nil` for one server.
  package var units: RateBudget.Units?

  package init(
    transport: any Transport, isLive: Bool = true, observers: [any RequestObserver] = [],
    recorder: HARRecorder? = nil, cache: ResponseCache? = nil, isOffline: Bool = false
  ) {
    (self.transport, self.isLive, self.observers) = (transport, isLive, observers)
    (self.recorder, self.cache, self.isOffline) = (recorder, cache, isOffline)
  }

  /// The current and future values of whether the servers are unreachable.
  package var offlineFlags: OfflineFlags {
    guard isOffline else { return { [connection] in connection.changes } }
    // The sequence never ends.
    return { AsyncStream { $0.yield(true) } }
  }
}

/// The clients of the three APIs, configured as in an app; comments give the reasons.
///
/// Pages are not prefetched here, because a `Feed` loads the next page before the end of the list
/// is visible.
extension Client {
  /// The maximum delay that a server can request before a retry.
  ///
  /// For longer delays, a page shows a countdown, and a command reports the delay instead of
  /// appearing to hang.
  fileprivate static let maximumDelay = Duration.seconds(2)

  /// Creates the client of GitHub's API.
  package static func gitHub(
    _ baseURL: BaseURL, over network: Network, credentials: StandardMiddleware? = nil
  ) -> Client {
    client(of: baseURL, over: network) {
      $0.jsonDecoder = .github
      // GitHub recommends sending the API version of the payloads; it serves this version as long
      // as it is supported.
      $0.headerFields[.accept] = "application/vnd.github+json"
      $0.headerFields[HTTPField.Name("X-GitHub-Api-Version")!] = "2022-11-28"
      if network.isLive {
        // GitHub limits requests per hour and searches per minute. Requests over the limit are not
        // sent, because GitHub extends the block of clients that continue to send requests.
        $0.networkMiddleware.insert(network.perVisitor { .gitHubRateBudget(network.units) }, at: 0)
        // During an outage of GitHub, retries from many tabs would prolong it. After five
        // consecutive failures, all requests fail immediately for half a minute. The outage of a
        // sandbox that visitors stop is shorter.
        let openTime = Duration.seconds(network.visitor == nil ? 30 : 3)
        $0.networkMiddleware.append(
          network.perVisitor { .circuitBreaker(CircuitBreaker(openTime: openTime)) })
      }
      // With a token, GitHub allows 5,000 requests per hour instead of 60. Redirects to another
      // origin don't receive the token.
      if let credentials { $0.middleware.append(credentials) }
    }
  }

  /// Creates the client of the sandbox's streams.
  ///
  /// The number of streams is not limited, because a stream that lasts for hours must not block
  /// requests.
  package static func streams(_ baseURL: BaseURL, over network: Network) -> Client {
    client(of: baseURL, over: network) { ($0.networkMiddleware, $0.jsonDecoder) = ([], .github) }
  }

  /// Creates the client of TMDB's API.
  package static func tmdb(_ baseURL: BaseURL, over network: Network, key: Sensitive?) -> Client {
    client(of: baseURL, over: network) {
      // TMDB expects its key in the query, which logs would show. The middleware masks the key in
      // all texts, and keeps it out of the endpoints.
      if let key { $0.middleware.append(.apiKey(key.value, query: "api_key")) }
    }
  }

  /// Returns the client and the request for loading a file by its URL.
  ///
  /// - Throws: ``Failure`` if the text is not a web URL.
  static func get(
    _ url: String, redirects: RedirectPolicy = .follow, over network: Network
  ) throws(Failure) -> (client: Client, request: Request<Data>) {
    guard let parts = URLComponents(string: url), let host = parts.percentEncodedHost,
      let origin = try? BaseURL(
        "\(parts.scheme ?? "")://\(host)\(parts.port.map { ":\($0)" } ?? "")"),
      let reference = try? URLReference(url)
    else {
      let problem =
        URLComponents(string: url)?.user == nil
        ? "is not a web address, such as https://a.example/b"
        : "has a name or a password, which addresses can't have here"
      throw Failure("'\(Redaction().redacting(url: url))' \(problem)", status: .usage)
    }
    // The URL is sent unchanged, so that a signature in it stays valid.
    let client = client(of: origin, over: network) { $0.redirects = redirects }
    return (client, .get(.url(reference)))
  }

  /// Creates a client with the configuration that is common to all APIs.
  package static func client(
    of baseURL: BaseURL, over network: Network,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Client {
    var retries = network.retries
    retries.maximumRetryAfter = maximumDelay
    return Client(baseURL: baseURL) {
      $0.transport = network.transport
      // An inspector shows the requests below the tasks that sent them.
      $0.observers = network.observers + [.timeline]
      // Cached content is shown immediately, and while the network is unavailable.
      $0.cache = network.cache
      $0.connection = network.connection
      if network.isOffline { $0.cacheMode = .cacheOnly }
      // The `User-Agent` names the client and a contact for operators; GitHub rejects requests
      // without it.
      $0.headerFields[.userAgent] = "curlew-showcase/\(Showcase.version)"
      if network.isLive {
        $0.middleware = [
          // Two tabs that show the same list share one transfer. This middleware comes first, so
          // that only one of them retries.
          .coalescing,
          // Connection losses and 503 responses often pass within half a second. Only idempotent
          // requests are retried (RFC 9110, 9.2.2).
          .retrying(retries),
        ]
        // Eight concurrent requests suffice for the pages, and spare the server. Further requests
        // are queued in order, so that many new tabs cause no burst.
        $0.networkMiddleware = [network.perVisitor { .concurrency(8) }]
      } else {
        // A replay repeats recorded retries, but without delay.
        retries.baseDelay = .zero
        $0.middleware = [.retrying(retries)]
      }
      configure(&$0)
      // The last middleware, so that it records the additions of all others.
      if let recorder = network.recorder { $0.networkMiddleware.append(.recording(recorder)) }
    }
  }
}

extension NetworkMiddleware where Self == StandardMiddleware {
  /// Enforces GitHub's rate limits; requests that would wait for too long fail immediately.
  ///
  /// - Parameter units: The units that several servers share.
  package static func gitHubRateBudget(_ units: RateBudget.Units? = nil) -> Self {
    .rateBudget(
      RateBudget(scope: GitHub.rateLimit, units: units), maximumDelay: Client.maximumDelay)
  }
}
