import Foundation

/// Bytes in which one that is missing or comes twice shows.
enum Pattern {
  /// Returns so many bytes: a short period of them, doubled, since computing each takes a second.
  static func bytes(_ count: Int) -> Data {
    // A prime: no buffer's size is a multiple of it.
    var data = Data((0..<Swift.min(count, 65_521)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    while data.count < count { data.append(data.prefix(count - data.count)) }
    return data
  }
}
