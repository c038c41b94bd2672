public import CurlewScreens
public import Domain
import Foundation

/// The screen of a dog breed: shows the breed from the search results until its details are loaded.
public typealias DogDetail = Detail<String, Dog, Dog>

extension Detail where ID == String, Known == Dog, Content == Dog {
  /// Creates a screen for the breeds of a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - recent: The breeds found by earlier searches.
  public init(_ source: any DogSource, recent: RecentValues<String, Dog> = RecentValues()) {
    self.init(known: { recent[$0] }) { try await source.dog($0) }
  }
}

/// The facts about a breed as text.
public struct DogFacts: Equatable, Sendable {
  /// The weight, such as `20–32 kg`; `nil` if unknown.
  public let weight: String?
  /// The life expectancy, such as `11–13 years`; `nil` if unknown.
  public let lifespan: String?
  /// The known facts: origin, group, weight and life expectancy, such as `Croatia` and
  /// `11–13 years`.
  public let parts: [String]
  /// The facts in one line.
  public var line: String { parts.joined(separator: " · ") }

  /// Creates the facts about a breed.
  public init(_ dog: Dog) {
    let text = { (range: ClosedRange<Int>, unit: String) in
      range.lowerBound == range.upperBound
        ? "\(range.lowerBound) \(unit)" : "\(range.lowerBound)–\(range.upperBound) \(unit)"
    }
    let weight = dog.weight.map { text($0, "kg") }
    let lifespan = dog.lifespan.map { text($0, "years") }
    (self.weight, self.lifespan) = (weight, lifespan)
    parts = [dog.origin, dog.group, weight, lifespan].compactMap { $0 }
  }
}

extension Dog {
  /// The path of the breed's page, such as `/dogs/great-dane`.
  public var address: String { Self.address(id) }

  /// Returns the path of a breed's page; percent-encodes reserved characters of the identifier.
  public static func address(_ id: String) -> String {
    let segment = id.utf8.map { byte -> String in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar))
      let hex = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(Character(scalar)) : "%" + (hex.count == 1 ? "0" : "") + hex
    }
    return "/dogs/" + segment.joined()
  }
}
