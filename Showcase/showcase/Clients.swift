package import Curlew
package import CurlewRecording
import Foundation
import HTTPTypes
import Platform

/// What carries the clients' requests.
package struct Network {
  package var transport: any Transport
  /// Whether servers respond, and not a recording, which tells of limits and failures long over.
  var isLive: Bool
  /// How failures are retried.
  package var retries = RetryPolicy()
  /// What is told what happens to each request.
  package var observers: [any RequestObserver]
  /// What records the requests and their responses.
  var recorder: HARRecorder?
  /// What the responses are stored in; `nil` for nothing.
  var cache: ResponseCache?
  /// What the clients' requests tell of the network.
  package let connection = ConnectionStatus()
  /// Whether nothing is sent, so that all there is is what is stored.
  var isOffline: Bool
  /// Returns the visitor for whom the current task works, if the server is another one to that visitor;
  /// `nil` where it is the same to all.
  var visitor: (@Sendable () -> String?)?

  package init(
    transport: any Transport, isLive: Bool = true, observers: [any RequestObserver] = [],
    recorder: HARRecorder? = nil, cache: ResponseCache? = nil, isOffline: Bool = false
  ) {
    (self.transport, self.isLive, self.observers) = (transport, isLive, observers)
    (self.recorder, self.cache, self.isOffline) = (recorder, cache, isOffline)
  }

  /// Whether the servers are out of reach, now and at each change.
  package var offlineFlags: OfflineFlags {
    guard isOffline else { return { [connection] in connection.changes } }
    // For ever.
    return { AsyncStream { $0.yield(true) } }
  }
}

/// The clients of the three APIs, set up as an app would do it: what is added, and why.
///
/// Pages are not prefetched here: a `Feed` asks for its next page before the end of the list is seen.
extension Client {
  /// The longest that a request waits for a server that wants to be left alone: a page counts longer
  /// waits down, and a command says them, instead of seeming to hang.
  fileprivate static let maximumDelay = Duration.seconds(2)

  /// Creates the client of GitHub's API.
  package static func gitHub(
    _ baseURL: BaseURL, over network: Network, token: String? = nil
  ) -> Client {
    client(of: baseURL, over: network) {
      $0.jsonDecoder = .github
      // GitHub wants to be told which version of its API the payloads describe: it sends that one
      // for as long as it is supported.
      $0.headerFields[.accept] = "application/vnd.github+json"
      $0.headerFields[HTTPField.Name("X-GitHub-Api-Version")!] = "2022-11-28"
      if network.isLive {
        // GitHub counts requests in an hour and searches in a minute. What is over the limit is not
        // sent, because GitHub blocks for longer whoever goes on asking.
        $0.networkMiddleware.insert(network.perVisitor { .gitHubRateBudget }, at: 0)
        // When GitHub is down, many tabs that try again would keep it down. After five failures in
        // a row nobody asks for half a minute, and every tab hears so at once. A sandbox that
        // visitors kill is back sooner.
        let openTime = Duration.seconds(network.visitor == nil ? 30 : 3)
        $0.networkMiddleware.append(
          network.perVisitor { .circuitBreaker(CircuitBreaker(openTime: openTime)) })
      }
      // With a token GitHub allows 5,000 requests an hour instead of 60. It stays with GitHub: a
      // redirect to another origin is followed without it.
      if let token { $0.middleware.append(.bearer(token)) }
    }
  }

  /// Creates the client of the sandbox's streams: one that lasts for hours must not take the place of
  /// a request, so that there is no limit on their number.
  package static func streams(_ baseURL: BaseURL, over network: Network) -> Client {
    client(of: baseURL, over: network) { $0.networkMiddleware = [] }
  }

  /// Creates the client of TMDB's API.
  package static func tmdb(_ baseURL: BaseURL, over network: Network, key: Sensitive?) -> Client {
    client(of: baseURL, over: network) {
      // TMDB takes its key in the query, where logs would show it. Added here, it is masked in every
      // text, and no endpoint has to know it.
      if let key { $0.middleware.append(.apiKey(key.value, query: "api_key")) }
    }
  }

  /// Returns what gets a file of the web by its URL: a client of its origin, and the request.
  ///
  /// - Throws: ``Failure`` when it is no address of the web.
  static func get(
    _ url: String, redirects: RedirectPolicy = .follow, over network: Network
  ) throws(Failure) -> (client: Client, request: Request<Data>) {
    guard let parts = URLComponents(string: url), let host = parts.percentEncodedHost,
      let origin = try? BaseURL(
        "\(parts.scheme ?? "")://\(host)\(parts.port.map { ":\($0)" } ?? "")"),
      let reference = try? URLReference(url)
    else {
      throw Failure(
        "'\(Redaction().redacting(url: url))' is no address of the web, such as https://a.example/b",
        status: .usage)
    }
    // Sent as it is, so that a signature in it stays valid.
    let client = client(of: origin, over: network) { $0.redirects = redirects }
    return (client, .get(.url(reference)))
  }

  /// Creates a client with what is right for every API.
  package static func client(
    of baseURL: BaseURL, over network: Network,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) -> Client {
    var retries = network.retries
    retries.maximumRetryAfter = maximumDelay
    return Client(baseURL: baseURL) {
      $0.transport = network.transport
      // An inspector shows the requests under the work that made them.
      $0.observers = network.observers + [.timeline]
      // What was seen shows at once, and when the network is gone.
      $0.cache = network.cache
      $0.connection = network.connection
      if network.isOffline { $0.cacheMode = .cacheOnly }
      // Says who asks: GitHub refuses requests without it, and any operator can see whom to write to.
      $0.headerFields[.userAgent] = "curlew-showcase/\(Showcase.version)"
      if network.isLive {
        $0.middleware = [
          // Two tabs that show the same list share one transfer. It comes first, so that one of
          // them retries for both.
          .coalescing,
          // A lost connection or a 503 has mostly passed half a second later, before anybody has
          // read about it. Only what may be repeated is (RFC 9110, 9.2.2).
          .retrying(retries),
        ]
        // Eight at a time are enough for the pages, and polite to a server. The others wait in
        // order, so that many tabs that open at once are no burst.
        $0.networkMiddleware = [network.perVisitor { .concurrency(8) }]
      } else {
        // What was retried when it was recorded is retried again, but for the wait.
        retries.baseDelay = .zero
        $0.middleware = [.retrying(retries)]
      }
      configure(&$0)
      // Last, so that it sees what the others add.
      if let recorder = network.recorder { $0.networkMiddleware.append(.recording(recorder)) }
    }
  }
}

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
  /// Keeps to GitHub's rate limits; what would have to wait for long fails at once.
  package static var gitHubRateBudget: Self {
    .rateBudget(RateBudget(scope: GitHub.rateLimit), maximumDelay: Client.maximumDelay)
  }
}
