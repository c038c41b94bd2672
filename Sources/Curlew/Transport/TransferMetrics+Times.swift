import Foundation

extension TransferMetrics {
  /// The dates at which the steps of a transfer began and ended, from `URLSession`; `nil` for steps that
  /// did not occur.
  struct Times: Sendable {
    var nameLookup: (start: Date?, end: Date?)
    /// Connecting, including the TLS handshake at its end.
    var connect: (start: Date?, end: Date?)
    var tls: (start: Date?, end: Date?)
    var requestEnd: Date?
    var response: (start: Date?, end: Date?)

    init() {}
  }

  init(networkProtocol: String?, isConnectionReused: Bool, _ times: Times) {
    self.init()
    (self.networkProtocol, self.isConnectionReused) = (networkProtocol, isConnectionReused)
    response = Self.duration(times.requestEnd, times.response.start)
    transfer = Self.duration(times.response.start, times.response.end)
    // A reused connection reports the times of its original setup.
    guard !isConnectionReused else { return }
    nameLookup = Self.duration(times.nameLookup.start, times.nameLookup.end)
    connect = Self.duration(times.connect.start, times.tls.start ?? times.connect.end)
    tls = Self.duration(times.tls.start, times.tls.end)
  }

  private static func duration(_ start: Date?, _ end: Date?) -> Duration? {
    guard let start, let end, start <= end else { return nil }
    // Rounded, because a date's seconds are a binary fraction.
    return .microseconds((end.timeIntervalSince(start) * 1_000_000).rounded())
  }
}
