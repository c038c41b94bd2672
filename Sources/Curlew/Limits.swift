/// What a request may take: time, bytes and redirects.
///
/// Set for a client in its ``Client/Configuration``, for an endpoint in ``Endpoint/adjust(_:)``.
public struct Limits: Sendable, Hashable {
  /// From sending a request until there is a connection for it; `nil` for no limit.
  ///
  /// 10 s: a server that is there takes one in well under a second. The wait for one of the
  /// connections to the host to become free is part of it. Of `URLSession` nobody learns when it is
  /// connected: there, ``firstByte`` stands for both.
  public var connect: Duration? = .seconds(10)

  /// From sending a request until the head of its answer; `nil` for no limit.
  ///
  /// 30 s: longer than any answer that a person waits for, and than most proxies allow.
  public var firstByte: Duration? = .seconds(30)

  /// Between two pieces of an answer's body, while one is awaited; `nil` for no limit.
  ///
  /// 30 s: a connection on which nothing comes for so long is mostly gone.
  public var idle: Duration? = .seconds(30)

  /// From the call to the decoded value, with redirects, waits, retries and the refresh of tokens;
  /// `nil` for no limit.
  ///
  /// 60 s: nobody looks at a screen for longer.
  public var total: Duration? = .seconds(60)

  /// Bytes of a decoded answer.
  ///
  /// 64 MiB: no screen shows more, and a phone survives it.
  public var bodySize: Int = 64 * 1024 * 1024

  /// Bytes of an answer's header fields, names and values.
  ///
  /// 64 KiB: ten times what talkative servers send. Transports have limits of their own:
  /// AsyncHTTPClient takes 256 fields of at most 80 KiB, over HTTP/2 16 KiB in all.
  public var headerSize: Int = 64 * 1024

  /// Redirects that are followed for one request.
  ///
  /// 10: more than any honest chain has.
  public var redirects: Int = 10

  /// Creates the limits that a client has by default.
  public init() {}

  /// What is wrong with them; `nil` for nothing.
  var fault: String? {
    let counts = [("bodySize", bodySize), ("headerSize", headerSize), ("redirects", redirects)]
    return counts.first { $0.1 < 0 }.map { "limits.\($0) is \($1), and can't be below zero" }
  }
}
