// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// Damages bodies at random; reproducible by the seed.
public struct Corruption: Sendable {
  private var generator: SeededGenerator

  public init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  public mutating func number(in range: ClosedRange<Int>) -> Int {
    generator.pick(range)
  }

  public mutating func element<Element>(of list: [Element]) -> Element {
    generator.pick(list)
  }

  /// Returns the body with flipped, set, removed, doubled, inserted and swapped bytes, or truncated.
  public mutating func applied(to body: Data) -> Data {
    var bytes = [UInt8](body)
    for _ in 0..<number(in: 1...4) {
      let place = number(in: 0...bytes.count)
      let rest = bytes.count - place
      switch number(in: 0...7) {
      case 0 where rest > 0: bytes[place] ^= 1 << UInt8(number(in: 0...7))
      case 1 where rest > 0: bytes[place] = UInt8(number(in: 0...255))
      case 2: bytes.removeSubrange(place..<place + number(in: 0...min(rest, 20)))
      case 3: bytes.insert(contentsOf: bytes[place...], at: place)
      case 4: bytes.insert(UInt8(number(in: 0...255)), at: place)
      case 5: bytes.removeSubrange(place...)
      case 6 where rest > 1: bytes.swapAt(place, number(in: place...bytes.count - 1))
      default: bytes.append(contentsOf: (0..<number(in: 1...12)).map { UInt8($0 &* 20) })
      }
      bytes = Array(bytes.prefix(100_000))
    }
    return Data(bytes)
  }

  /// Whether this value is valid for a damaged body: repeated copies of the whole original, as in several gzip members,
  /// or empty for an empty body.
  public static func isHarmless(_ damaged: Data, _ value: Data, _ original: Data) -> Bool {
    guard !value.isEmpty else { return damaged.isEmpty }
    let copies = value.count / original.count
    return value == Data(repeatElement(original, count: copies).joined())
  }
}
