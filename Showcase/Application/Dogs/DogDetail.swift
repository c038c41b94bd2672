public import CurlewScreens
public import Domain
import Foundation

/// One breed at length: what the search knew at once, then the rest.
public typealias DogDetail = Detail<String, Dog, Dog>

extension Detail where ID == String, Known == Dog, Content == Dog {
  /// Shows the dogs of a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - recent: The dogs that searches found.
  public init(_ source: any DogSource, recent: RecentValues<String, Dog> = RecentValues()) {
    self.init(known: { recent[$0] }) { try await source.dog($0) }
  }
}

/// What is said of a breed.
public struct DogFacts: Equatable, Sendable {
  /// `20–32 kg`; `nil` when it is not known.
  public let weight: String?
  /// `11–13 years`; `nil` when it is not known.
  public let lifespan: String?
  /// `Croatia`, `Companion`, `20–32 kg` and `11–13 years`, as far as they are known.
  public let parts: [String]
  /// The parts in a line.
  public var line: String { parts.joined(separator: " · ") }

  /// Describes a breed.
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
  /// The address of the breed's page, `/dogs/great-dane`.
  public var address: String { Self.address(id) }

  /// Returns the address of a breed's page, whatever is in its id.
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
