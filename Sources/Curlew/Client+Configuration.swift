public import Foundation
public import HTTPTypes

extension Client {
  /// How a client sends requests and reads responses.
  public struct Configuration: Sendable {
    /// What carries requests to the server.
    ///
    /// `URLSession` by default, because it is there everywhere. On Linux and on servers, depend on
    /// `CurlewAsyncHTTPClient` and say `.asyncHTTPClient`: it is several times faster there.
    public var transport: any Transport = .urlSession

    /// What the request of each call passes through once, and then its response; the outermost first.
    public var middleware: [any Middleware] = []

    /// What each request on the wire passes through, those of redirects and retries included; the
    /// outermost first, below all of ``middleware``.
    public var networkMiddleware: [any NetworkMiddleware] = []

    /// Header fields of each request that has no others by these names.
    public var headerFields: HTTPFields = [
      .accept: "application/json, */*;q=0.5", .userAgent: "Curlew/1",
    ]

    /// Time, bytes and redirects that a request may take.
    public var limits = Limits()

    /// What must be kept out of logs, errors and recordings.
    public var redaction = Redaction()

    /// Whether redirects are followed, where an endpoint says nothing else.
    public var redirects: RedirectPolicy = .follow

    /// The clock of all time limits.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The type that the bodies of errors are decoded as, where an endpoint names none; `nil` for none.
    public var errorBody: ErrorBody?

    /// Reads JSON responses.
    public var jsonDecoder = JSONDecoder()

    /// Writes JSON bodies.
    public var jsonEncoder = JSONEncoder()

    /// Who is told when requests wait for each other.
    package var waits: (any WaitObserver)?

    /// Creates the configuration that a client has by default.
    public init() {}
  }
}

extension Client.Configuration: CustomReflectable {
  /// Shows the settings with masks for secret header fields, and middlewares by their names.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "transport": "\(type(of: transport))",
        "middleware": middleware.map { "\(type(of: ($0 as? StandardMiddleware)?.base ?? $0))" },
        "networkMiddleware": networkMiddleware.map {
          "\(type(of: ($0 as? StandardNetworkMiddleware)?.base ?? $0))"
        },
        "headerFields": redaction.redacting(headerFields),
        "limits": limits,
      ], displayStyle: .struct)
  }
}
