public import Foundation

/// A dog breed; lists omit some of its properties.
public struct Dog: Codable, Hashable, Sendable, Identifiable {
  /// The name of the breed.
  public let name: String
  /// The identifier of the breed in URLs, such as `great-dane`.
  public let id: String
  /// The country or region where the breed originated.
  public var origin: String?
  /// The breed group, such as `Herding`.
  public var group: String?
  /// The weight range of adult dogs in kilograms.
  public var weight: ClosedRange<Int>?
  /// The life expectancy in years.
  public var lifespan: ClosedRange<Int>?
  /// The colours of the coat; empty if unknown.
  public var coats: [String] = []
  /// Adjectives for the breed's temperament; empty if unknown.
  public var temperament: [String] = []
  /// The URL of a picture of the breed.
  public var picture: URL?

  /// Creates a breed with a name; the identifier is derived from the name by default.
  public init(name: String, id: String? = nil) {
    self.name = name
    self.id = id ?? name.lowercased().replacing(" ", with: "-")
  }
}

/// A source of dog breeds.
public protocol DogSource: Sendable {
  /// Returns the dogs whose names begin with a text, ignoring case and diacritics.
  func dogs(named text: String) async throws -> [Dog]

  /// Returns a breed by its identifier; `nil` if it doesn't exist.
  func dog(_ id: String) async throws -> Dog?
}

extension DogSource {
  /// Returns `nil`: a source may support searches only.
  public func dog(_ id: String) async throws -> Dog? { nil }
}
