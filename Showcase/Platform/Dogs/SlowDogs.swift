public import Domain
import Foundation

/// A few dog breeds in memory; each request takes a second, to simulate a slow server.
public struct SlowDogs: DogSource {
  private static let dogs = [
    dog("Shiba Inu", "Japan", "Spitz", 8...11, 12...15, "alert, spirited"),
    dog("Samoyed", "Siberia", "Spitz", 16...30, 12...14, "friendly, gentle"),
    dog("American Foxhound", "United States", "Hound", 27...34, 11...13, "easy-going, sweet"),
    dog("Akita", "Japan", "Spitz", 32...59, 10...13, "loyal, dignified"),
    dog("Giant Schnauzer", "Germany", "Working", 25...48, 12...15, "loyal, trainable"),
    dog("Great Dane", "Germany", "Working", 50...80, 7...10, "patient, friendly"),
    dog("Great Pyrenees", "France", "Working", 38...54, 10...12, "calm, patient"),
    dog("Tibetan Terrier", "Tibet", "Companion", 8...14, 15...16, "affectionate, lively"),
    dog("Toy Fox Terrier", "United States", "Companion", 2...4, 13...15, "friendly, alert"),
    dog("Saint Bernard", "Switzerland and Italy", "Working", 54...82, 8...10, "patient, gentle"),
    dog("German Shepherd", "Germany", "Herding", 22...40, 7...13, "confident, clever"),
  ]

  private static func dog(
    _ name: String, _ origin: String, _ group: String, _ weight: ClosedRange<Int>,
    _ lifespan: ClosedRange<Int>, _ temperament: String
  ) -> Dog {
    var dog = Dog(name: name)
    (dog.origin, dog.group, dog.weight, dog.lifespan) = (origin, group, weight, lifespan)
    dog.temperament = temperament.split(separator: ", ").map(String.init)
    return dog
  }

  private let clock: any Clock<Duration>

  /// Creates a source that measures the delay with a clock.
  public init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  /// Returns the dogs whose names begin with a text, after a second.
  public func dogs(named text: String) async throws -> [Dog] {
    try await clock.sleep(for: .seconds(1))
    return Self.dogs.filter { dog in
      let options: String.CompareOptions = [.anchored, .caseInsensitive, .diacriticInsensitive]
      return dog.name.range(of: text, options: options) != nil
    }
  }

  /// Returns a dog after a second.
  public func dog(_ id: String) async throws -> Dog? {
    try await clock.sleep(for: .seconds(1))
    return Self.dogs.first { $0.id == id }
  }
}
