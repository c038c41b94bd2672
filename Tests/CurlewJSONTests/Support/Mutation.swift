import Foundation
import TestSupport

/// Damages documents: changes, removes, duplicates and swaps bytes and tokens, and truncates the end.
struct Mutation {
  var random: SeededGenerator

  private static let tokens = [
    "null", "true", "false", "0", "-1", "1.5", "1e400", "\"\"", "\"x\"", "[]", "{}", "[", "]", "{",
    "}", ",", ":", "\"", "\\", "\\u00e4", "\\ud83d", "\\n", "\\x", "-", ".", "e5", "+", "0", "1e5",
    "300", "9223372036854775808", "18446744073709551616", "\u{E4}", "\u{212A}", " ", "\n",
    "\"id\":1,", "\"a\":{\"b\":[null]},", "1.", "01", "2026-02-29T00:00:00Z",
    "99999999999999999999999", "nul", "\u{7}",
  ].map { Array($0.utf8) }

  mutating func damaged(_ document: Data, times: Int) -> Data {
    var bytes = Array(document)
    for _ in 0..<times { damage(&bytes) }
    return Data(bytes)
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let index = random.pick(0...bytes.count - 1)
    switch random.pick(0...11) {
    case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
    case 1: bytes[index] ^= 1 << UInt8(random.pick(0...7))
    case 2: bytes.remove(at: index)
    case 3: bytes.insert(contentsOf: random.pick(Self.tokens), at: index)
    case 4: bytes.removeSubrange(index..<min(bytes.count, index + random.pick(1...20)))
    case 5 where random.chance(oneIn: 4): bytes.removeSubrange(index...)
    case 6:
      let end = min(bytes.count, index + random.pick(1...60))
      bytes.insert(contentsOf: bytes[index..<end], at: random.pick(0...bytes.count))
    case 7, 8, 9:
      if let value = value(in: bytes, from: index) {
        bytes.replaceSubrange(value, with: random.pick(Self.tokens))
      }
    default:
      // Swaps two values.
      guard let first = value(in: bytes, from: index),
        let second = value(in: bytes, from: random.pick(0...bytes.count - 1)),
        !first.overlaps(second)
      else { return }
      let (lower, upper) = first.lowerBound < second.lowerBound ? (first, second) : (second, first)
      let (low, high) = (Array(bytes[lower]), Array(bytes[upper]))
      bytes.replaceSubrange(upper, with: low)
      bytes.replaceSubrange(lower, with: high)
    }
  }

  /// Returns the approximate range of the first scalar after an index.
  private func value(in bytes: [UInt8], from index: Int) -> Range<Int>? {
    let ends = Array(",:[]{} \n\r".utf8)
    guard var start = bytes[index...].firstIndex(where: { ends.contains($0) }) else { return nil }
    while start < bytes.count, ends.contains(bytes[start]) { start += 1 }
    guard start < bytes.count else { return nil }
    if bytes[start] == UInt8(ascii: "\"") {
      guard let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
      return start..<end + 1
    }
    let end = bytes[start...].firstIndex { ends.contains($0) } ?? bytes.count
    return start..<end
  }
}
