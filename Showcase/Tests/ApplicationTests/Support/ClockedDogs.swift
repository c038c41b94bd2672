import Domain
import Foundation

/// A few dogs that are returned after a second on a clock.
struct ClockedDogs: DogSource {
  let clock: any Clock<Duration>

  func dogs(named text: String) async throws -> [Dog] {
    try await clock.sleep(for: .seconds(1))
    let names = [
      "Great Dane", "Great Pyrenees", "Giant Schnauzer", "German Shepherd", "Akita", "Samoyed",
      "Shiba Inu", "Saint Bernard",
    ]
    let options: String.CompareOptions = [.anchored, .caseInsensitive, .diacriticInsensitive]
    return names.filter { $0.range(of: text, options: options) != nil }.map { Dog(name: $0) }
  }
}
