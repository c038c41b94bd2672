public import Foundation
public import HTTPTypes

extension Client {
  /// How a client sends requests and reads answers.
  public struct Configuration: Sendable {
    /// What carries requests to the server.
    ///
    /// `URLSession` by default, because it is there everywhere. On Linux and on servers, depend on
    /// `CurlewAsyncHTTPClient` and say `.asyncHTTPClient`: it is several times faster there.
    public var transport: any Transport = .urlSession

    /// What requests and answers pass through, the outermost first.
    public var middleware: [any Middleware] = []

    /// Header fields of each request that has no others by these names.
    public var headerFields: HTTPFields = [
      .accept: "application/json, */*;q=0.5", .userAgent: "Curlew/1",
    ]

    /// Time, bytes and redirects that a request may take.
    public var limits = Limits()

    /// What must be kept out of logs, errors and recordings.
    public var redaction = Redaction()

    /// The clock of all limits of time.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// Reads JSON answers.
    public var jsonDecoder = JSONDecoder()

    /// Writes JSON bodies.
    public var jsonEncoder = JSONEncoder()

    /// Creates the configuration that a client has by default.
    public init() {}
  }
}

extension Client.Configuration: CustomReflectable {
  /// Shows the settings with masks for secret header fields, and middlewares by their type.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "transport": "\(type(of: transport))",
        "middleware": middleware.map { "\(type(of: $0))" },
        "headerFields": redaction.redacting(headerFields),
        "limits": limits,
      ], displayStyle: .struct)
  }
}
