import Curlew
import CurlewRecording
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// Recorded responses of Apple and TMDB, replayed through the client's whole pipeline.
@Suite(
  .enabled(if: Recordings.exist, "The recordings are not here: ../shared/recordings/*.har"),
  .timeLimit(.minutes(1)))
struct MovieRecordingTests {
  // MARK: iTunes

  private func topMovies(of har: HAR) async throws -> Listing<StoreMovie> {
    let client = Client(baseURL: "https://itunes.apple.com") {
      $0.transport = .har(har, mode: .lenient)
    }
    return try await ITunesStore(client: client).topMovies(in: "us", limit: 25)
  }

  @Test func `apples movies are shown`() async throws {
    let listing = try await topMovies(of: HAR(contentsOf: Recordings.iTunes))
    #expect(listing.items.count == 25)
    #expect(Set(listing.items.map(\.id)).count == 25)
    #expect(listing.damaged.isEmpty)
    let first = try #require(listing.items.first)
    #expect(listing.items.map(\.rank) == Array(1...25))
    #expect(first.title == "Zootopia")
    #expect(first.id == "1084138493")
    #expect(first.image?.lastPathComponent == "170x170bb-85.jpg")
    #expect(first.releaseDate == "March 4, 2016")
    #expect(first.amount == "19.99000")
    #expect(first.currency == "USD")
    #expect(first.rentalPrice == "4.99000")
    #expect(first.category == "Kids & Family")
    #expect(
      first.link?.absoluteString == "https://itunes.apple.com/us/movie/zootopia/id1084138493?uo=2")
    #expect(first.summary?.hasPrefix("Disney presents") == true)
    #expect(listing.items.filter { $0.rentalPrice == nil }.count == 4)
  }

  // MARK: TMDB

  private func catalogue(key: String) throws -> TMDBCatalogue {
    let har = try HAR(contentsOf: Recordings.tmdb)
    return TMDBCatalogue(
      client: Client(baseURL: "https://api.themoviedb.org") {
        $0.transport = .har(har, mode: .lenient)
        $0.middleware = [.apiKey(key, query: "api_key")]
      })
  }

  @Test(arguments: [
    (MovieList.nowPlaying, "en-US", "The Lion King", 921),
    (.nowPlaying, "ru", "Мир Юрского периода 2", 966),
    (.topRated, "en-US", "Underworld: Blood Wars", 19574),
  ])
  func `tmdbs movies are shown`(
    list: MovieList, language: String, title: String, total: Int
  ) async throws {
    let catalogue = try catalogue(key: "hunter2")
    let listing = try await catalogue.movies(in: list, language: language, page: 1)
    #expect(listing.items.count == 20)
    #expect(listing.damaged.isEmpty)
    #expect(listing.items.first?.title == title)
    #expect(
      listing.items.allSatisfy {
        $0.poster?.absoluteString.hasPrefix("https://image.tmdb.org/t/p/w342/") == true
      })
    #expect(listing.total == total)
    #expect(listing.nextPage == 2)
    // Only the first page was recorded: the list ends, and shows no duplicates.
    let second = try await catalogue.movies(in: list, language: language, page: 2)
    #expect(second == Listing([], total: total))
  }

  @Test func `wrong key is refused in TMD bs words and shown nowhere`() async throws {
    // The recording contains a 401 response to the key "wrong".
    let catalogue = try catalogue(key: "wrong")
    let error = try await #require(throws: Client.Error.self) {
      _ = try await catalogue.movies(in: .nowPlaying, language: "en-US", page: 1)
    }
    let failure = try #require(error.statusFailure)
    #expect(failure.response.status == .unauthorized)
    #expect(failure.message == "Invalid API key: You must be granted a valid key.")
    var text = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
    dump(error, to: &text)
    dump(catalogue, to: &text)
    #expect(text.contains("api_key=***"))
    #expect(!text.contains("wrong"))
  }
}
