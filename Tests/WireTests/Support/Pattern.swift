import Foundation

/// Bytes in which a missing or repeated byte is detectable.
enum Pattern {
  /// Returns `count` bytes: a short period, repeatedly doubled, since computing each byte takes a second.
  static func bytes(_ count: Int) -> Data {
    // A prime, so that no buffer's size is a multiple of it.
    var data = Data((0..<Swift.min(count, 65_521)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    while data.count < count { data.append(data.prefix(count - data.count)) }
    return data
  }
}
