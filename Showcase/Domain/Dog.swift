import Foundation

/// A breed of dogs.
public struct Dog: Equatable, Sendable, Identifiable {
  /// What it is called.
  public let name: String

  /// Its name.
  public var id: String { name }
}

/// Knows some breeds, and takes its time to find them.
public struct Kennel: Sendable {
  private static let dogs = [
    "Shiba Inu", "Samoyed", "American Foxhound", "Akita", "Giant Schnauzer", "Great Dane",
    "Great Pyrenees", "Tibetan Terrier", "Toy Fox Terrier", "Saint Bernard", "German Shepherd",
  ].map(Dog.init)

  private let clock: any Clock<Duration>

  /// Creates a kennel that looks for a second, by a clock.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  /// Finds the dogs whose names begin with a text, whatever its case and its accents.
  public func dogs(named text: String) async throws -> [Dog] {
    try await clock.sleep(for: .seconds(1))
    return Self.dogs.filter { dog in
      let options: String.CompareOptions = [.anchored, .caseInsensitive, .diacriticInsensitive]
      return dog.name.range(of: text, options: options) != nil
    }
  }
}
