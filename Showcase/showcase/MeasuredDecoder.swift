import Foundation

/// Decodes with another decoder, and writes to a log how long it took and how long `JSONDecoder` takes.
// Unchecked because its superclass is; its own members are constants.
final class MeasuredDecoder: JSONDecoder, @unchecked Sendable {
  private let decoder: JSONDecoder
  private let peer = JSONDecoder()
  private let log: Log

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - decoder: The decoder that is measured; its strategies are not changed afterwards.
  ///   - log: Gets a line for each decoding.
  init(_ decoder: JSONDecoder, _ log: Log) {
    (self.decoder, self.log) = (decoder, log)
    peer.dateDecodingStrategy = decoder.dateDecodingStrategy
    super.init()
  }

  override func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let value = try decoder.decode(type, from: data)
    let time = Self.time { _ = try? self.decoder.decode(type, from: data) }
    let peerTime = Self.time { _ = try? self.peer.decode(type, from: data) }
    log.write(
      """
      json \(Int64(data.count).bytes) decoded in \(Self.text(time)) ms, by JSONDecoder in \
      \(Self.text(peerTime)) ms: \(String(format: "%.1f", peerTime / time)) times as fast\(Self.build)
      """)
    return value
  }

  /// Returns the shortest time of three, in milliseconds: the first may learn types, and others wait for a
  /// core.
  private static func time(_ work: () -> Void) -> Double {
    (0..<3).map { _ in ContinuousClock().measure(work) / .milliseconds(1) }.min() ?? 0
  }

  private static func text(_ time: Double) -> String { String(format: "%.2f", time) }

  #if DEBUG
    private static let build = " (not optimized in this debug build)"
  #else
    private static let build = ""
  #endif
}
