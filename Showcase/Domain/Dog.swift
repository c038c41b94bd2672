/// A breed of dogs.
public struct Dog: Hashable, Sendable, Identifiable {
  /// The name of the breed.
  public let name: String

  /// The name.
  public var id: String { name }

  /// Creates a breed.
  public init(name: String) {
    self.name = name
  }
}

/// Finds breeds of dogs.
public protocol DogSource: Sendable {
  /// Returns the dogs whose names begin with a text, whatever its case and its accents.
  func dogs(named text: String) async throws -> [Dog]
}
