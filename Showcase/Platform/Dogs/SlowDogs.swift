public import Domain
import Foundation

/// A few breeds of dogs; each search takes a second, as that of a slow server would.
public struct SlowDogs: DogSource {
  private static let dogs = [
    "Shiba Inu", "Samoyed", "American Foxhound", "Akita", "Giant Schnauzer", "Great Dane",
    "Great Pyrenees", "Tibetan Terrier", "Toy Fox Terrier", "Saint Bernard", "German Shepherd",
  ].map(Dog.init)

  private let clock: any Clock<Duration>

  /// Creates a source that takes its second by a clock.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  /// Finds dogs after a second.
  public func dogs(named text: String) async throws -> [Dog] {
    try await clock.sleep(for: .seconds(1))
    return Self.dogs.filter { dog in
      let options: String.CompareOptions = [.anchored, .caseInsensitive, .diacriticInsensitive]
      return dog.name.range(of: text, options: options) != nil
    }
  }
}
