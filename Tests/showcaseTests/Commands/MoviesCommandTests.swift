import Foundation
import Testing

/// `showcase movies` and `showcase itunes` as a script sees them.
@Suite(.timeLimit(.minutes(1)))
struct MoviesCommandTests {
  struct Document: Decodable {
    let id: Int
    let overview: String
    let poster: URL?
    let releaseDate: String
    let title: String
    let voteAverage: Double
  }

  struct StoreDocument: Decodable {
    let amount: String
    let currency: String
    let image: URL?
    let rank: Int
    let rentalPrice: String?
    let summary: String?
    let title: String
  }

  func documents<Item: Decodable>(_ outcome: Command.Outcome) throws -> [Item] {
    try JSONDecoder().decode([Item].self, from: Data(outcome.output.utf8))
  }

  @Test(arguments: [[], ["now-playing"], ["top-rated"]])
  func listIsATable(list: [String]) async throws {
    let outcome = try await Command.run(["movies"] + list)
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 21)
    #expect(lines.first?.split(separator: " ") == ["YEAR", "VOTE", "TITLE", "OVERVIEW"])
    #expect(lines.dropFirst().allSatisfy { $0.contains(/^(\d{4}|    )  ( \d\.\d|   –)  \S.*$/) })
    #expect(
      outcome.error == "There are more movies: the next are on --page 2, all with --all.\n")
  }

  @Test func pagesTogetherAreTheWholeList() async throws {
    let second: [Document] = try documents(
      try await Command.run("movies", "top-rated", "--page", "2", "--json"))
    let outcome = try await Command.run("movies", "top-rated", "--all", "--json")
    #expect(outcome.status == 0)
    let all: [Document] = try documents(outcome)
    #expect(all.count > 100)
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(all[20..<40].map(\.id) == second.map(\.id))
  }

  @Test func oneMovieIsPrintedAtLength() async throws {
    let movies: [Document] = try documents(try await Command.run("movies", "--json"))
    let first = try #require(movies.first)
    let outcome = try await Command.run("movie", "\(first.id)")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(first.title) && outcome.output.contains("Runtime"))
    let json = try await Command.run("movie", "\(first.id)", "--json")
    let one = try JSONDecoder().decode(Document.self, from: Data(json.output.utf8))
    #expect(one.id == first.id && one.title == first.title)
  }

  @Test func missingMovieIsSaidSo() async throws {
    let outcome = try await Command.run("movie", "1")
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.error.contains("there is no movie 1"))
  }

  @Test func languageChangesTheTexts() async throws {
    let english: [Document] = try documents(try await Command.run("movies", "--json"))
    let german: [Document] = try documents(
      try await Command.run("movies", "--language", "de-DE", "--json"))
    #expect(english.map(\.id) == german.map(\.id))
    #expect(english.map(\.title) != german.map(\.title))
  }

  @Test func pageAfterTheLastIsALineAndNoList() async throws {
    let outcome = try await Command.run("movies", "--page", "400")
    #expect(outcome.status == 1)
    #expect(
      outcome.error == "Error: Nothing found: no movie is listed as now-playing on page 400.\n")
    let beyond = try await Command.run("movies", "--page", "501")
    #expect(beyond.status == 64)
    #expect(beyond.error == "Error: The server did not accept this request.\n")
  }

  @Test func wrongKeyIsStatus77AndNeverQuoted() async throws {
    let outcome = try await Command.run("movies", "--tmdb-key", "open-sesame-42", "-v")
    #expect(outcome.status == 77)
    #expect(outcome.output == "")
    #expect(outcome.complaints.last == "Error: The server asks you to sign in.")
    #expect(outcome.complaints.contains { $0.contains("Invalid API key") })
    #expect(!outcome.error.contains("sesame"))
  }

  @Test func malformedKeyIsNeverQuoted() async throws {
    for arguments in [["--tmdb-key", "open sesame"], ["--tmdb-key", "sésame"]] {
      let outcome = try await Command.run(["movies"] + arguments)
      #expect(outcome.status == 64)
      #expect(outcome.error == "Error: --tmdb-key holds something that is not a key.\n")
    }
    let live = try await Command.run(
      "movies", "--live", environment: ["TMDB_API_KEY": "open\nsesame"])
    #expect(live.status == 64)
    #expect(live.error == "Error: TMDB_API_KEY holds something that is not a key.\n")
  }

  @Test(arguments: [[:], ["TMDB_API_KEY": ""]])
  func liveWithoutKeySaysWhereToGetOne(environment: [String: String]) async throws {
    let outcome = try await Command.run("movies", "--live", environment: environment)
    #expect(outcome.status == 77)
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
    #expect(outcome.error.contains("https://www.themoviedb.org/settings/api"))
    #expect(outcome.error.contains("TMDB_API_KEY") && outcome.error.contains("--tmdb-key"))
  }

  @Test func keyOfTheEnvironmentIsForTheRealServer() async throws {
    let outcome = try await Command.run("movies", environment: ["TMDB_API_KEY": "open-sesame-42"])
    #expect(outcome.status == 0, "the sandbox has a key of its own")
  }

  @Test func storeListsItsTopMovies() async throws {
    let outcome = try await Command.run("itunes")
    #expect(outcome.status == 0)
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 26)
    #expect(
      lines.first?.split(separator: " ") == ["#", "TITLE", "PRICE", "RELEASE", "CATEGORY"])
    #expect(lines.contains { $0.contains(#/ \d+\.\d\d USD +Release date: \w+ \d+, \d{4}  /#) })
    #expect(lines.dropFirst().allSatisfy { $0.contains(/^ *\d+  [^a-z]+ {2}/) }, "in capitals")
  }

  @Test func countryAndLimitReachTheStore() async throws {
    let outcome = try await Command.run("itunes", "--country", "DE", "--limit", "7", "--json")
    #expect(outcome.status == 0)
    let movies: [StoreDocument] = try documents(outcome)
    #expect(movies.map(\.rank) == Array(1...7))
    #expect(movies.contains { $0.currency == "EUR" })
  }

  @Test func damagedEntriesAreToldAndTheOthersPrinted() async throws {
    let outcome = try await Command.run("itunes", "--damaged-entries", "1", "--json")
    #expect(outcome.status == 0)
    let movies: [StoreDocument] = try documents(outcome)
    #expect(movies.count == 24)
    #expect(outcome.error == "1 entry could not be read and was left out.\n")
    let missing = Set(1...25).subtracting(movies.map(\.rank))
    let verbose = try await Command.run("itunes", "--damaged-entries", "1", "--verbose")
    let entry = "entry \(missing.first ?? 0) is left out: feed.entry["
    #expect(verbose.complaints.count { $0.hasPrefix(entry) } == 1)
  }

  @Test func listOfDamagedEntriesOnlyIsStatus65() async throws {
    let outcome = try await Command.run("itunes", "--damaged-entries", "25")
    #expect(outcome.status == 65)
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
  }

  @Test func dogsAreFoundByTheirBeginning() async throws {
    let outcome = try await Command.run("dogs", " GREAT ")
    #expect(outcome.status == 0)
    #expect(outcome.output == "NAME\nGreat Dane\nGreat Pyrenees\n")
    let json = try await Command.run("dogs", "shiba", "--json")
    #expect(json.output == "[\n  {\n    \"name\" : \"Shiba Inu\"\n  }\n]\n")
    let none = try await Command.run("dogs", "cat")
    #expect(none.status == 1)
    #expect(none.error == "Error: Nothing found: no dog's name begins with 'cat'.\n")
  }
}
