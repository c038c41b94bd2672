import Curlew
import Foundation
import Testing

/// `showcase movies` and `showcase itunes` in a script.
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
  func `list is a table`(list: [String]) async throws {
    let outcome = try await Command.run(["movies"] + list)
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 21)
    #expect(lines.first?.split(separator: " ") == ["YEAR", "VOTE", "TITLE", "OVERVIEW"])
    #expect(lines.dropFirst().allSatisfy { $0.contains(/^(\d{4}|    )  ( \d\.\d|   –)  \S.*$/) })
    #expect(
      outcome.error == "There are more movies: use --page 2 for the next page, or --all.\n")
  }

  @Test func `one movie is printed at length`() async throws {
    let movies: [Document] = try documents(try await Command.run("movies", "--json"))
    let first = try #require(movies.first)
    let outcome = try await Command.succeed("movie", "\(first.id)")
    #expect(outcome.output.contains(first.title) && outcome.output.contains("Runtime"))
    let json = try await Command.run("movie", "\(first.id)", "--json")
    let one = try JSONDecoder().decode(Document.self, from: Data(json.output.utf8))
    #expect(one.id == first.id && one.title == first.title)
  }

  @Test func `language changes the texts`() async throws {
    let english: [Document] = try documents(try await Command.succeed("movies", "--json"))
    let german: [Document] = try documents(
      try await Command.succeed("movies", "--language", "de-DE", "--json"))
    #expect(english.map(\.id) == german.map(\.id))
    #expect(english.map(\.overview) != german.map(\.overview))
  }

  @Test func `wrong key is status77 and never quoted`() async throws {
    let outcome = try await Command.run("movies", "--tmdb-key", "open-sesame-42", "-v")
    #expect(outcome.status == 77)
    #expect(outcome.output == "")
    #expect(outcome.complaints.last == "Error: \(UserTexts.english.signIn)")
    #expect(outcome.complaints.contains { $0.contains("Invalid API key") })
    #expect(!outcome.error.contains("sesame"))
  }

  @Test(arguments: [[:], ["TMDB_API_KEY": ""]])
  func `live without key says where to get one`(environment: [String: String]) async throws {
    let outcome = try await Command.run("movies", "--live", environment: environment)
    #expect(outcome.status == 77)
    #expect(outcome.output == "")
    #expect(outcome.complaints.count == 1)
    #expect(outcome.error.contains("https://www.themoviedb.org/settings/api"))
    #expect(outcome.error.contains("TMDB_API_KEY") && outcome.error.contains("--tmdb-key"))
  }

  @Test func `key of the environment is for the real server`() async throws {
    let outcome = try await Command.run("movies", environment: ["TMDB_API_KEY": "open-sesame-42"])
    #expect(outcome.status == 0, "the sandbox has a key of its own")
  }

  @Test func `store lists its top movies`() async throws {
    let outcome = try await Command.succeed("itunes")
    #expect(outcome.error == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 26)
    #expect(
      lines.first?.split(separator: " ") == ["#", "TITLE", "PRICE", "RELEASE", "CATEGORY"])
    #expect(lines.contains { $0.contains(#/ \d+\.\d\d USD +Release date: \w+ \d+, \d{4}  /#) })
  }

  @Test func `country and limit reach the store`() async throws {
    let outcome = try await Command.succeed("itunes", "--country", "DE", "--limit", "7", "--json")
    let movies: [StoreDocument] = try documents(outcome)
    #expect(movies.map(\.rank) == Array(1...7))
    #expect(movies.contains { $0.currency == "EUR" })
  }

  @Test func `damaged entries are told and the others printed`() async throws {
    let outcome = try await Command.succeed("itunes", "--damaged-entries", "1", "--json")
    let movies: [StoreDocument] = try documents(outcome)
    #expect(movies.count == 24)
    #expect(outcome.error == "1 entry can’t be shown.\n")
    let missing = Set(1...25).subtracting(movies.map(\.rank))
    let verbose = try await Command.run("itunes", "--damaged-entries", "1", "--verbose")
    let entry = "entry \(missing.first ?? 0) is skipped: feed.entry["
    #expect(verbose.complaints.count { $0.hasPrefix(entry) } == 1)
  }

  @Test func `dogs are found by their beginning`() async throws {
    let outcome = try await Command.succeed("dogs", " GREAT ")
    let lines = outcome.output.split(separator: "\n")
    let names = lines.map { $0.prefix(14).trimmingCharacters(in: .whitespaces) }
    #expect(names == ["NAME", "Great Dane", "Great Pyrenees"])
    #expect(lines.last?.hasSuffix("France · Working · 38–54 kg · 10–12 years") == true)
    let json = try await Command.run("dogs", "shiba", "--json")
    #expect(json.output.contains("\"id\" : \"shiba-inu\""))
    let dog = try await Command.succeed("dog", "shiba-inu")
    #expect(dog.output.contains("alert, spirited, good-natured"))
    let missing = try await Command.run("dog", "cat")
    #expect(missing.error.hasSuffix("Error: Nothing found: there is no dog cat.\n"))
  }
}
