public import Foundation

/// A breed of dogs; a list knows less of it than its own page.
public struct Dog: Hashable, Sendable, Identifiable {
  /// The name of the breed.
  public let name: String
  /// What an address calls the breed, such as `great-dane`.
  public let id: String
  /// Where the breed comes from.
  public var origin: String?
  /// What it was bred for, such as `Herding`.
  public var group: String?
  /// The weights of grown dogs in kilograms.
  public var weight: ClosedRange<Int>?
  /// How old dogs of the breed become, in years.
  public var lifespan: ClosedRange<Int>?
  /// The colours of the coat; empty where they are not known.
  public var coats: [String] = []
  /// Words for its character; empty where they are not known.
  public var temperament: [String] = []
  /// A picture of a dog of the breed.
  public var picture: URL?

  /// Creates a breed of which only the name is known, and its id, which is made of the name by default.
  public init(name: String, id: String? = nil) {
    self.name = name
    self.id = id ?? name.lowercased().replacing(" ", with: "-")
  }
}

/// Finds breeds of dogs.
public protocol DogSource: Sendable {
  /// Returns the dogs whose names begin with a text, whatever its case and its accents.
  func dogs(named text: String) async throws -> [Dog]

  /// Finds a breed by its id; `nil` when there is none.
  func dog(_ id: String) async throws -> Dog?
}

extension DogSource {
  /// Finds none: a source may be for searches only.
  public func dog(_ id: String) async throws -> Dog? { nil }
}
