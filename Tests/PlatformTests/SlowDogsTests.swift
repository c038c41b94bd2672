import Domain
import Platform
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SlowDogsTests {
  let clock = SkippingClock()

  func names(_ text: String) async throws -> [String] {
    try await SlowDogs(clock: clock).dogs(named: text).map(\.name)
  }

  @Test func findingTakesASecond() async throws {
    _ = try await names("akita")
    #expect(clock.now == .init(offset: .seconds(1)))
    _ = try await names("nobody")
    #expect(clock.now == .init(offset: .seconds(2)))
  }

  @Test func searchThatIsCancelledEndsAtOnce() async {
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
  func dogIsFoundByTheBeginningOfItsName(text: String, found: [String]) async throws {
    #expect(try await names(text) == found)
  }

  @Test(arguments: ["akita", "AKITA", "aKiTa"])
  func caseMakesNoDifference(text: String) async throws {
    #expect(try await names(text) == ["Akita"])
  }

  @Test(arguments: ["Ákita", "a\u{301}kita", "ÅKÏT", "äkïtâ"])
  func accentsMakeNoDifference(text: String) async throws {
    #expect(try await names(text) == ["Akita"])
  }

  @Test(arguments: [
    "kita", "Dane", "Foxhound", "Akitas", "poodle", "", " ", "x", "Great  Dane", "犬", "\u{0}",
    "Great Dane 2", "*", ".", "A.*",
  ])
  func anythingElseFindsNobody(text: String) async throws {
    #expect(try await names(text) == [])
  }

  @Test func dogIsToldApartByItsName() async throws {
    let dogs = try await SlowDogs(clock: clock).dogs(named: "s")
    #expect(dogs.map(\.id) == dogs.map(\.name))
  }
}

/// A clock that takes no time: who sleeps wakes at once, and it is later.
final class SkippingClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let state = Mutex(Instant(offset: .zero))

  var now: Instant { state.withLock { $0 } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { $0 = max($0, deadline) }
  }
}
