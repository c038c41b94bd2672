/// A hash that is the same in each run of the program (FNV-1a, 64 bits); it does not protect secrets from
/// an attacker.
enum StableHash {
  static func of(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
