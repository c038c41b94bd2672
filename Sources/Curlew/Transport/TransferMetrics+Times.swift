package import Foundation

extension TransferMetrics {
  /// When the steps of a transfer began and ended, as `URLSession` tells it; `nil` for what did not happen.
  package struct Times: Sendable {
    package var nameLookup: (start: Date?, end: Date?)
    /// Connecting, with TLS, which comes last.
    package var connect: (start: Date?, end: Date?)
    package var tls: (start: Date?, end: Date?)
    package var requestEnd: Date?
    package var response: (start: Date?, end: Date?)

    package init() {}
  }

  package init(networkProtocol: String?, isConnectionReused: Bool, _ times: Times) {
    self.init()
    (self.networkProtocol, self.isConnectionReused) = (networkProtocol, isConnectionReused)
    response = Self.duration(times.requestEnd, times.response.start)
    transfer = Self.duration(times.response.start, times.response.end)
    // A reused connection keeps the times of its beginning.
    guard !isConnectionReused else { return }
    nameLookup = Self.duration(times.nameLookup.start, times.nameLookup.end)
    connect = Self.duration(times.connect.start, times.tls.start ?? times.connect.end)
    tls = Self.duration(times.tls.start, times.tls.end)
  }

  private static func duration(_ start: Date?, _ end: Date?) -> Duration? {
    guard let start, let end, start <= end else { return nil }
    // A date's seconds are a binary fraction.
    return .microseconds((end.timeIntervalSince(start) * 1_000_000).rounded())
  }
}
