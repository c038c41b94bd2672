/// Limits for the time, size and redirects of a request.
///
/// Set a client's limits in its ``Client/Configuration``, and adjust them for an endpoint in
/// ``Request/limits(_:)``. A time limit that is not positive, or a negative size, throws
/// ``Client/Error/invalidRequest(_:)``, which names the limit.
public struct Limits: Sendable, Hashable {
  /// The maximum time to get a connection; `nil` for no limit.
  ///
  /// 10 s by default: a working server accepts a connection in well under a second. The time in the client's
  /// own queue for a connection to the host does not count. `URLSession` doesn't report when it is
  /// connected: with it, ``firstByte`` covers both. AsyncHTTPClient gives up an attempt after 20 s.
  public var connect: Duration? = .seconds(10)

  /// The maximum time from sending a request on its connection to receiving the head of the response;
  /// `nil` for no limit.
  ///
  /// 30 s by default: longer than users wait for a response, and than most proxies allow.
  public var firstByte: Duration? = .seconds(30)

  /// The maximum time to wait for the next chunk of a response's body; `nil` for no limit.
  ///
  /// 30 s by default: a connection without data for so long is usually lost.
  public var idle: Duration? = .seconds(30)

  /// The maximum time from the call to the last byte of the response, including all redirects, waits,
  /// retries and token refreshes; `nil` for no limit.
  ///
  /// 60 s by default: users don't wait longer.
  public var total: Duration? = .seconds(60)

  /// The maximum size of a decompressed body, in bytes.
  ///
  /// 64 MiB by default: more than a screen shows, and small enough for a phone's memory. A response with a
  /// larger `Content-Length` is rejected before its body is read.
  public var bodySize: Int = 64 * 1024 * 1024

  /// The maximum size of a response's header fields, names and values, in bytes.
  ///
  /// 64 KiB by default: ten times the size that most servers send. Transports have their own limits:
  /// AsyncHTTPClient accepts 256 fields of at most 80 KiB, and over HTTP/2 a total of 16 KiB; the error
  /// names the limit that was exceeded.
  public var headerSize: Int = 64 * 1024

  /// The maximum size of a line in ``StreamedResponse/lines`` and ``Client/jsonLines(_:)``, in bytes.
  ///
  /// 1 MiB by default: a thousand times the size of a usual line; each line is held in memory as a whole. The
  /// limit also stops the reading of a body that has no line breaks.
  public var lineSize: Int = 1024 * 1024

  /// The maximum size in bytes of a server-sent event's type and data, and of each of its lines.
  ///
  /// 1 MiB by default: a thousand times the size of a usual event; each event is held in memory as a whole.
  public var eventSize: Int = 1024 * 1024

  /// The maximum number of redirects that are followed for one request; the next redirect is an error.
  ///
  /// 10 by default: more than any useful chain of redirects. To receive a redirect as the response, see
  /// ``RedirectPolicy``.
  public var redirects: Int = 10

  /// Creates the default limits.
  public init() {}

  /// A description of the first invalid limit; `nil` if all limits are valid.
  var fault: String? {
    let times = [("connect", connect), ("firstByte", firstByte), ("idle", idle), ("total", total)]
    for case (let name, let time?) in times where time <= .zero {
      return "limits.\(name) is \(time), and must be positive; nil is no limit"
    }
    let counts = [
      ("bodySize", bodySize), ("headerSize", headerSize), ("lineSize", lineSize),
      ("eventSize", eventSize), ("redirects", redirects),
    ]
    return counts.first { $0.1 < 0 }.map { "limits.\($0) is \($1), and can't be negative" }
  }
}
