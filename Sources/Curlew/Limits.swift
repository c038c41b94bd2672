/// The time, bytes and redirects that a request may take.
///
/// Set for a client in its ``Client/Configuration``, for an endpoint in ``Endpoint/adjust(_:)``.
public struct Limits: Sendable, Hashable {
  /// The time to get a connection; `nil` for no limit.
  ///
  /// 10 s: a server that works accepts one in well under a second. Waiting in the client's own queue
  /// for one of the connections to the host is not part of it. `URLSession` doesn't tell when it is
  /// connected: there, ``firstByte`` covers both. AsyncHTTPClient gives an attempt up after 20 s.
  public var connect: Duration? = .seconds(10)

  /// The time from sending a request on its connection to the head of the response; `nil` for no limit.
  ///
  /// 30 s: longer than users wait for a response, and than most proxies allow.
  public var firstByte: Duration? = .seconds(30)

  /// The time between two pieces of a response's body while one is awaited; `nil` for no limit.
  ///
  /// 30 s: a connection that is silent for so long is mostly lost.
  public var idle: Duration? = .seconds(30)

  /// The time from the call to the last byte of the response, with all redirects, waits, retries and token
  /// refreshes; `nil` for no limit.
  ///
  /// 60 s: nobody looks at a screen for longer.
  public var total: Duration? = .seconds(60)

  /// The bytes of a decoded body.
  ///
  /// 64 MiB: no screen shows more, and a phone has the memory for it. A response whose `Content-Length`
  /// announces more is refused with its head.
  public var bodySize: Int = 64 * 1024 * 1024

  /// The bytes of a response's header fields, names and values.
  ///
  /// 64 KiB: ten times what most servers send. Transports have limits of their own:
  /// AsyncHTTPClient takes 256 fields of at most 80 KiB, over HTTP/2 16 KiB in all.
  public var headerSize: Int = 64 * 1024

  /// The redirects that are followed for one request; one more is an error.
  ///
  /// 10: more than any useful chain has. For a redirect as the response, see ``RedirectPolicy``.
  public var redirects: Int = 10

  /// Creates the limits that a client has by default.
  public init() {}

  /// What is wrong with them; `nil` for nothing.
  var fault: String? {
    let counts = [("bodySize", bodySize), ("headerSize", headerSize), ("redirects", redirects)]
    return counts.first { $0.1 < 0 }.map { "limits.\($0) is \($1), and can't be below zero" }
  }
}
