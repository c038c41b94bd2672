import CurlewJSON
public import Foundation
public import HTTPTypes

extension Client {
  /// The settings of a client for sending requests and reading responses.
  public struct Configuration: Sendable {
    /// The transport that sends requests to the server.
    ///
    /// `URLSession` by default, because it is available on every platform. On Linux and on servers,
    /// depend on `CurlewAsyncHTTPClient` and set `.asyncHTTPClient`: it is several times faster there.
    public var transport: any Transport = .urlSession

    /// The middlewares that wrap each call once, the outermost first.
    public var middleware: [any Middleware] = []

    /// The middlewares that wrap each request on the wire, including redirects and retries, the outermost
    /// first; all of them are inside ``middleware``.
    public var networkMiddleware: [any NetworkMiddleware] = []

    /// The cache of responses (RFC 9111), such as `.memory()`; `nil`, the default, for none.
    ///
    /// It is inside of ``middleware`` and outside of ``networkMiddleware``: a request that it serves is not
    /// sent, and does not count for a rate limit.
    public var cache: ResponseCache?

    /// The cache mode of calls without their own mode; by default ``CacheMode/standard``.
    ///
    /// With ``CacheMode/cacheOnly`` the client sends nothing.
    public var cacheMode = CacheMode.standard

    /// The status of the connection to the server, derived from the client's requests; clients may share it.
    public var connection = ConnectionStatus()

    /// The monitor of the system's network, which retries use to wait for a network: the system's own on
    /// Apple's platforms, `nil` on other platforms.
    public var networkMonitor: (any NetworkMonitor)? = SystemNetworkMonitor.shared

    /// The observers of requests, for logs, metrics and traces.
    public var observers: [any RequestObserver] = []

    /// The default header fields, which are added to each request that does not have them.
    public var headerFields: HTTPFields = [
      .accept: "application/json, */*;q=0.5", .userAgent: "Curlew/1",
    ]

    /// The limits for the time, size and redirects of a request.
    public var limits = Limits()

    /// The header fields and query items whose values are masked in logs, errors and recordings.
    public var redaction = Redaction()

    /// The policy for redirects, unless an endpoint has its own policy.
    public var redirects: RedirectPolicy = .follow

    /// The clock for all time limits and waits.
    ///
    /// Time limits don't include the time during which the process was suspended, such as an app in the
    /// background on iOS.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The maximum delay of a timer; `nil` for a default that depends on the clock.
    ///
    /// A longer delay counts as a suspension of the process.
    var suspensionTolerance: Duration?

    /// The type to decode error bodies as, unless an endpoint has its own type; `nil` for no decoding.
    public var errorBody: ErrorBody?

    /// The decoder for JSON responses: a fast decoder, which with the same strategies decodes the same
    /// types to the same values as Foundation's decoder.
    ///
    /// Each configuration has its own decoder, so its strategies can be set here:
    /// `$0.jsonDecoder.dateDecodingStrategy = .iso8601`. `$0.jsonDecoder = JSONDecoder()` restores
    /// Foundation's decoder, which accepts a comma before a closing bracket.
    public var jsonDecoder: JSONDecoder = FastJSONDecoder()

    /// The encoder for JSON bodies.
    public var jsonEncoder: JSONEncoder = {
      let encoder = JSONEncoder()
      // Equal values give equal bytes, as signatures and idempotency keys require.
      encoder.outputFormatting = .sortedKeys
      return encoder
    }()

    /// Creates the default configuration.
    init() {}
  }
}

extension Client.Configuration: Mirrored {
  var mirrorChildren: KeyValuePairs<String, Any> {
    [
      "transport": "\(type(of: transport))",
      "middleware": middleware.map { "\(type(of: ($0 as? StandardMiddleware)?.base ?? $0))" },
      "networkMiddleware": networkMiddleware.map {
        "\(type(of: ($0 as? StandardMiddleware)?.base ?? $0))"
      },
      "headerFields": redaction.redacting(headerFields),
      "limits": limits,
    ]
  }
}
