import CurlewTesting
import Domain
import Platform
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SlowDogsTests {
  let clock = TestClock()

  func names(_ text: String) async throws -> [String] {
    async let dogs = SlowDogs(clock: clock).dogs(named: text)
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleepers == 1, "finding takes a second")
    clock.advance(by: .milliseconds(1))
    let names = try await dogs.map(\.name)
    return names
  }

  @Test func `search that is cancelled ends at once`() async {
    let search = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await SlowDogs().dogs(named: "akita")
    }
    await #expect(throws: CancellationError.self) { try await search.value }
  }

  @Test(arguments: [
    ("Akita", ["Akita"]), ("A", ["American Foxhound", "Akita"]),
    ("S", ["Shiba Inu", "Samoyed", "Saint Bernard"]),
    ("g", ["Giant Schnauzer", "Great Dane", "Great Pyrenees", "German Shepherd"]),
    ("great p", ["Great Pyrenees"]), ("T", ["Tibetan Terrier", "Toy Fox Terrier"]),
    ("German Shepherd", ["German Shepherd"]),
  ])
  func `dog is found by the beginning of its name`(text: String, found: [String]) async throws {
    #expect(try await names(text) == found)
  }

  @Test(arguments: ["akita", "AKITA", "aKiTa", "Ákita", "a\u{301}kita", "ÅKÏT", "äkïtâ"])
  func `case and accents make no difference`(text: String) async throws {
    #expect(try await names(text) == ["Akita"])
  }

  @Test func `dog is found by its id after a second`() async throws {
    async let dog = SlowDogs(clock: clock).dog("great-dane")
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(try await dog?.weight == 50...80)
  }

  @Test(arguments: [
    "kita", "Dane", "Foxhound", "Akitas", "poodle", "", " ", "x", "Great  Dane", "犬", "\u{0}",
    "Great Dane 2", "*", ".", "A.*",
  ])
  func `anything else finds nobody`(text: String) async throws {
    #expect(try await names(text) == [])
  }
}
