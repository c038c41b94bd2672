/// Random choices that depend only on a seed and on their names: the same in every process and on
/// every platform.
struct Choices: Sendable {
  private let seed: String

  init(_ seed: String) { self.seed = seed }

  /// Returns a number from 0 to the bound, excluding the bound, which must be positive.
  func number(_ name: String, below bound: Int) -> Int {
    // The hashes of similar texts are similar; SplitMix64 makes them different.
    var hash = stableHash("\(seed) \(name)".utf8)
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((hash ^ (hash >> 31)) % UInt64(bound))
  }

  /// Returns a number from 0 to 1, excluding 1.
  func share(_ name: String) -> Double { Double(number(name, below: 1_000_000)) / 1_000_000 }

  /// Returns an element of a nonempty array.
  func pick<Element>(_ name: String, of elements: [Element]) -> Element {
    elements[number(name, below: elements.count)]
  }

  /// Returns the pattern with each `<name>` replaced by a text from the list with this name, in which
  /// placeholders are replaced, too; `<name 1>` and `<name 2>` are other texts from the list.
  func filled(_ pattern: String, from lists: [String: [String]]) -> String {
    pattern.filled { placeholder in
      let parts = placeholder.split(separator: " ")
      guard let name = parts.first.map({ String($0) }), let list = lists[name] else { return nil }
      var index = number(name, below: list.count)
      if let position = parts.last.flatMap({ Int($0) }) {
        index += position * (1 + number("next \(name)", below: max(1, list.count - 1)))
      }
      return filled(list[index % list.count], from: lists)
    }
  }
}

/// Returns a hash (FNV-1a, 64 bits) that is the same in every process.
func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
