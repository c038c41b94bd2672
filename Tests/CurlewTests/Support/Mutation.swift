import TestSupport

extension SeededGenerator {
  /// Returns a sample with changed, inserted, removed, doubled and repeated bytes.
  ///
  /// - Parameter grows: Whether bytes are also doubled and repeated.
  mutating func mutated(
    _ samples: [String], with alphabet: String, changes: Int = 6, grows: Bool = true
  ) -> [UInt8] {
    let alphabet = Array(alphabet.utf8)
    var bytes = Array(pick(samples).utf8)
    for _ in 0..<pick(1...changes) {
      let index = pick(0...bytes.count)
      let byte = pick(alphabet)
      switch pick(0...(grows ? 5 : 3)) {
      case 0: bytes.insert(byte, at: index)
      case 1 where index < bytes.count: bytes[index] = byte
      case 2 where index < bytes.count: bytes.remove(at: index)
      case 4: bytes.insert(contentsOf: bytes[index...], at: index)
      case 5: bytes.insert(contentsOf: repeatElement(byte, count: pick(1...30)), at: index)
      default: bytes.removeSubrange(index...)
      }
      bytes = Array(bytes.prefix(2_000))
    }
    return bytes
  }
}
