import Application
import CurlewScreens
import Domain
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PlaceTests {
  static func name(_ text: String) throws -> RepositoryName {
    try #require(RepositoryName(text))
  }

  @Test func eachPlaceHasItsAddress() throws {
    let swift = try Self.name("apple/swift")
    let addresses: [(Place, String)] = [
      (.issues(nil), "/issues"), (.issues(swift), "/issues?q=apple/swift"),
      (.repositories(language: nil), "/repositories"),
      (.repositories(language: "swift"), "/repositories?language=swift"),
      (.repository(swift), "/repositories/apple/swift"),
      (.movies(.nowPlaying), "/movies/now-playing"), (.movies(.topRated), "/movies/top-rated"),
      (.topMovies(country: nil), "/itunes"), (.topMovies(country: "de"), "/itunes?country=de"),
      (.dogs, "/dogs"),
    ]
    for (place, address) in addresses {
      #expect(place.address == address)
      #expect(Place(address: address) == place)
    }
  }

  @Test(arguments: [
    "apple/swift", "a/b", "octo-cat-/.github", "0/_.-", "o/...", "A-1/x.y_z-", "issues/issues",
    "repositories/itunes", "a/-", "a/_41",
  ])
  func placesOfOddRepositoriesReadBackToThemselves(text: String) throws {
    let name = try Self.name(text)
    for place in [Place.issues(name), .repository(name)] {
      #expect(Place(address: place.address) == place)
    }
  }

  @Test(arguments: [
    "swift", "c++", "C#", "f#&x=y", "Objective-C", "Jupyter Notebook", "100%", "%20", "%", "a+b",
    "language", "=", "?", "&&", "a/b", "../..", "Ünïcödé", "日本語", "👩‍👩‍👧‍👦", "e\u{301}", "\u{301}",
    "\r\n", "\u{0}", " ", "\"'<>", "q=1&language=2", "#", ":", "\\", "~._-",
  ])
  func placesOfOddWordsReadBackToThemselves(word: String) {
    for place in [Place.repositories(language: word), .topMovies(country: word)] {
      #expect(Place(address: place.address) == place)
      #expect(
        place.address.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "#") },
        "\(place.address) is no address")
    }
  }

  /// A form without a text sends its field as well.
  @Test func emptyFieldIsNoWord() {
    #expect(Place(address: "/repositories?language=") == .repositories(language: nil))
    #expect(Place(address: "/issues?q=") == .issues(nil))
    #expect(Place(address: "/itunes?country=&x=1") == .topMovies(country: nil))
  }

  @Test func whatIsUnknownInAQueryIsLeftOut() throws {
    let swift = try Self.name("apple/swift")
    #expect(Place(address: "/issues?page=2&q=apple%2Fswift&x") == .issues(swift))
    #expect(Place(address: "/issues?q=nonsense") == .issues(nil))
    #expect(Place(address: "/issues?q=%zz") == .issues(nil))
    #expect(Place(address: "/issues?xq=apple/swift") == .issues(nil))
    #expect(Place(address: "/repositories?xlanguage=a") == .repositories(language: nil))
    #expect(Place(address: "/dogs?q=akita") == .dogs)
    #expect(Place(address: "/repositories?language=a+b") == .repositories(language: "a b"))
    #expect(Place(address: "/repositories?language=a&language=b") == .repositories(language: "a"))
    #expect(Place(address: "/repositories?language=a=b") == .repositories(language: "a=b"))
    #expect(Place(address: "/repositories/apple/swift?tab=1") == .repository(swift))
  }

  @Test func addressMayEndInASlash() throws {
    #expect(Place(address: "/dogs/") == .dogs)
    let swift = try Self.name("apple/swift")
    #expect(Place(address: "/repositories/apple/swift/") == .repository(swift))
  }

  @Test(arguments: [
    "", "/", "?", "/?q=apple/swift", "/nowhere", "/Issues", "/issues/12", "/dogs/akita", "/movies",
    "/movies/", "/movies/popular", "/movies/now_playing", "/movies/Now-Playing",
    "/movies/now-playing/2", "/movies/now%5Fplaying", "/repositories/apple",
    "/repositories/apple/..", "/repositories/../swift", "/repositories/apple/swift/issues",
    "/repositories/apple%2Fswift", "/repositories/apple%2F/swift", "/repositories/ap%20ple/swift",
    "/repositories/apple/%00", "/itunes/us", "https://example.com/dogs", "/dogs#top", "/%64ogs/x",
    "javascript:alert(1)",
  ])
  func unknownAddressLeadsNowhere(address: String) {
    #expect(Place(address: address) == nil)
  }

  @Test(arguments: MovieList.allCases)
  func listsNameInAnAddressReadsBack(list: MovieList) {
    #expect(MovieList(slug: list.slug) == list)
    #expect(!list.slug.contains("_"))
    #expect(MovieList(slug: list.rawValue) == nil)
  }

  @Test(arguments: ["", "-", "now-playing-", "now playing", "NOW-PLAYING", "popular"])
  func anythingElseIsNoList(slug: String) {
    #expect(MovieList(slug: slug) == nil)
  }
}
