import CurlewJSON
public import Foundation
public import HTTPTypes

extension Client {
  /// How a client sends requests and reads responses.
  public struct Configuration: Sendable {
    /// The transport that sends requests to the server.
    ///
    /// `URLSession` by default, because it is available on every platform. On Linux and on servers,
    /// depend on `CurlewAsyncHTTPClient` and set `.asyncHTTPClient`: it is several times faster there.
    public var transport: any Transport = .urlSession

    /// The middlewares that wrap each call once, the outermost first.
    public var middleware: [any Middleware] = []

    /// The middlewares that wrap each request on the wire, including those of redirects and retries;
    /// the outermost first, all of them inside ``middleware``.
    public var networkMiddleware: [any NetworkMiddleware] = []

    /// The cache of responses (RFC 9111), such as `.memory()`; `nil`, the default, for none.
    ///
    /// It is inside of ``middleware`` and outside of ``networkMiddleware``: what it has is not sent, and counts
    /// for no rate limit.
    public var cache: ResponseCache?

    /// How calls use the cache that don't say it themselves; as the standard says by default.
    ///
    /// With ``CacheMode/cacheOnly`` the client sends nothing.
    public var cacheMode = CacheMode.standard

    /// What the client's requests tell of the connection to its server; clients may share one.
    public var connection = ConnectionStatus()

    /// What tells whether the system has a network, so that retries wait for it: the system's own on Apple's
    /// platforms, `nil` on others, which don't tell.
    public var networkMonitor: (any NetworkMonitor)? = SystemNetworkMonitor.shared

    /// The observers that are told what happens to each request: logs, metrics, traces.
    public var observers: [any RequestObserver] = []

    /// The header fields that are added to each request that does not have them.
    public var headerFields: HTTPFields = [
      .accept: "application/json, */*;q=0.5", .userAgent: "Curlew/1",
    ]

    /// The limits for the time, size and redirects of a request.
    public var limits = Limits()

    /// The header fields and query items that are kept out of logs, errors and recordings.
    public var redaction = Redaction()

    /// Whether redirects are followed, unless an endpoint has its own policy.
    public var redirects: RedirectPolicy = .follow

    /// The clock for all time limits and waits.
    ///
    /// The time in which the process was suspended, as iOS suspends an app in the background, counts for no time limit.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// How late a task wakes that was not suspended; `nil` for what suits the clock.
    package var suspensionTolerance: Duration?

    /// The type that error bodies are decoded as, unless an endpoint has its own; `nil` for none.
    public var errorBody: ErrorBody?

    /// The decoder for JSON responses: a fast one, which decodes the same types to the same values as
    /// Foundation's with the same strategies.
    ///
    /// Each configuration has its own, so that its strategies can be set here:
    /// `$0.jsonDecoder.dateDecodingStrategy = .iso8601`. `$0.jsonDecoder = JSONDecoder()` goes back to
    /// Foundation's, which accepts a comma before a closing bracket.
    public var jsonDecoder: JSONDecoder = FastJSONDecoder()

    /// The encoder for JSON bodies.
    public var jsonEncoder: JSONEncoder = {
      let encoder = JSONEncoder()
      // The same value is the same bytes, as signatures and idempotency keys want it.
      encoder.outputFormatting = .sortedKeys
      return encoder
    }()

    /// Creates the default configuration.
    package init() {}
  }
}

extension Client.Configuration: Mirrored {
  package var mirrorChildren: KeyValuePairs<String, Any> {
    [
      "transport": "\(type(of: transport))",
      "middleware": middleware.map { "\(type(of: ($0 as? StandardMiddleware)?.base ?? $0))" },
      "networkMiddleware": networkMiddleware.map {
        "\(type(of: ($0 as? StandardNetworkMiddleware)?.base ?? $0))"
      },
      "headerFields": redaction.redacting(headerFields),
      "limits": limits,
    ]
  }
}
