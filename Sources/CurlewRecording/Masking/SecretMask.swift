import Curlew
import Foundation

/// Masks secret values anywhere in texts and bytes, in escaped form, too.
///
/// A text is searched unchanged, and then with escapes decoded, up to three times: percent-encoding, JSON escapes and
/// HTML entities may be nested. Each search finds all values in a single pass.
struct SecretMask: Sendable {
  /// The values with the same first four bytes, and their lengths in descending order.
  private struct PrefixGroup {
    var values: Set<[UInt8]> = []
    var lengths: [Int] = []
  }

  private var prefixGroups: [UInt32: PrefixGroup] = [:]
  /// All values in lexicographical order, to find truncated values.
  private var sorted: [[UInt8]] = []
  private var longest = 0
  /// Whether a value may start with bytes of a given hash: a fast rejection for nearly all bytes of a text.
  private var possibleStarts: [Bool]

  /// Creates a mask for secret values, each of which may be percent-encoded.
  ///
  /// Values of fewer than four bytes and JSON literals are skipped: masking them would garble unrelated text.
  init(_ secrets: Set<String>) {
    possibleStarts = Array(repeating: false, count: secrets.isEmpty ? 0 : 1 << 16)
    var forms: Set<[UInt8]> = []
    for secret in secrets where !["true", "false", "null"].contains(secret) {
      var view: SecretView? = SecretView(Array(secret.utf8))
      while let bytes = view?.bytes {
        guard bytes.count >= 4 else { break }
        forms.insert(bytes.map { Self.folded($0) })
        forms.formUnion(Self.base64Forms(of: bytes))
        view = view?.unescaped(isCut: false)
      }
    }
    for form in forms where !form.allSatisfy({ $0 == UInt8(ascii: "*") }) {
      let start = form.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
      prefixGroups[start, default: PrefixGroup()].values.insert(form)
      possibleStarts[Self.hash(start)] = true
    }
    for (start, group) in prefixGroups {
      prefixGroups[start]?.lengths = Set(group.values.map(\.count)).sorted(by: >)
    }
    sorted = prefixGroups.values.flatMap(\.values).sorted { $0.lexicographicallyPrecedes($1) }
    longest = sorted.map(\.count).max() ?? 0
  }

  /// Returns a text with the secret values masked.
  func masked(_ text: String) -> String {
    guard let masked = masked(Array(text.utf8), isCut: false) else { return text }
    return String(decoding: masked, as: UTF8.self)
  }

  /// Returns data with the secret values masked.
  ///
  /// - Parameter isCut: Whether the data may be truncated inside a value. Then a trailing prefix of a value is masked,
  ///   too.
  func masked(_ data: Data, isCut: Bool = false) -> Data {
    masked([UInt8](data), isCut: isCut).map { Data($0) } ?? data
  }

  /// Returns the masked bytes; `nil` if they contain no secret values.
  private func masked(_ bytes: [UInt8], isCut: Bool) -> [UInt8]? {
    guard !prefixGroups.isEmpty else { return nil }
    var found: [Range<Int>] = []
    var view: SecretView? = SecretView(bytes)
    for _ in 0...3 {
      guard let current = view else { break }
      find(in: current, &found)
      if isCut { findBeginning(atEndOf: current, &found) }
      view = current.unescaped(isCut: isCut)
    }
    guard !found.isEmpty else { return nil }
    found.sort { $0.lowerBound < $1.lowerBound }
    var result: [UInt8] = []
    var end = 0
    for range in found {
      // Overlapping values are masked together.
      if range.lowerBound >= end {
        result += bytes[end..<range.lowerBound]
        result += Redaction.mask.utf8
      }
      end = max(end, range.upperBound)
    }
    return result + bytes[end...]
  }

  private func find(in view: SecretView, _ found: inout [Range<Int>]) {
    var start: UInt32 = 0
    for index in view.bytes.indices {
      start = start << 8 | UInt32(Self.folded(view.bytes[index]))
      guard index >= 3, possibleStarts[Self.hash(start)], let group = prefixGroups[start] else {
        continue
      }
      let rest = view.bytes[(index - 3)...]
      // There may be as many values as requests, but few distinct lengths.
      let length = group.lengths.first { length in
        length <= rest.count && group.values.contains(rest.prefix(length).map { Self.folded($0) })
      }
      if let length { found.append(view.origin(of: (index - 3)..<(index - 3 + length))) }
    }
  }

  /// Finds the longest prefix of a value at the end of the bytes.
  private func findBeginning(atEndOf view: SecretView, _ found: inout [Range<Int>]) {
    let end = view.bytes.suffix(longest).map { Self.folded($0) }
    guard let start = end.indices.first(where: { isBeginningOfValue(end[$0...]) }) else { return }
    let length = end.count - start
    let first = view.origin(of: (view.bytes.count - length)..<view.bytes.count).lowerBound
    found.append(first..<view.originalCount)
  }

  /// Performs a binary search, because there may be as many values as requests.
  private func isBeginningOfValue(_ bytes: ArraySlice<UInt8>) -> Bool {
    var range = sorted.indices
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if sorted[middle].lexicographicallyPrecedes(bytes) {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound < sorted.count && sorted[range.lowerBound].starts(with: bytes)
  }

  /// Folds `+` to a space, because forms encode spaces as `+`.
  private static func folded(_ byte: UInt8) -> UInt8 {
    byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
  }

  private static func hash(_ start: UInt32) -> Int { Int((start &* 0x9E37_79B1) >> 16) }

  /// Returns the base64 substrings that occur in the base64 encoding of any text with the value, such as Basic
  /// credentials with a password.
  ///
  /// The substring depends on the value's offset modulo three. The first and last digits are omitted, because they
  /// depend on adjacent bytes.
  private static func base64Forms(of value: [UInt8]) -> Set<[UInt8]> {
    guard value.count >= 6 else { return [] }
    var forms: Set<[UInt8]> = []
    for offset in 0..<3 {
      let text = Data(Array(repeating: 0, count: offset) + value).base64EncodedString()
      let range = ((8 * offset + 5) / 6)..<(8 * (offset + value.count) / 6)
      // Also in the URL-safe alphabet (RFC 4648 section 5).
      for text in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
        forms.insert(Array(text.utf8)[range].map { folded($0) })
      }
    }
    return forms
  }
}
