/// What a request may take: time, bytes and redirects.
///
/// Set for a client in its ``Client/Configuration``, for an endpoint in ``Endpoint/adjust(_:)``.
public struct Limits: Sendable, Hashable {
  /// From sending a request until the head of its answer; `nil` for no limit.
  ///
  /// 30 s: longer than any answer that a person waits for, and than most proxies allow.
  public var firstByte: Duration? = .seconds(30)

  /// From the call to the decoded value, redirects included; `nil` for no limit.
  ///
  /// 60 s.
  public var total: Duration? = .seconds(60)

  /// Bytes of a decoded answer.
  ///
  /// 64 MiB: no screen shows more, and a phone survives it.
  public var bodySize: Int = 64 * 1024 * 1024

  /// Redirects that are followed for one request.
  ///
  /// 10: more than any honest chain has.
  public var redirects: Int = 10

  /// Creates the limits that a client has by default.
  public init() {}
}
