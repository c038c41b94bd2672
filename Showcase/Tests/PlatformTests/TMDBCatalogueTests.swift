import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// TMDB's lists are converted to movies, page by page.
@Suite(.timeLimit(.minutes(1)))
struct TMDBCatalogueTests {
  let stub = StubTransport(servesSamples: false)
  let catalogue: TMDBCatalogue

  init() { catalogue = TMDBCatalogue(client: .stubbed(by: stub), images: "https://img.example/p") }

  private func response(_ results: String = "", page: Int = 1, of pages: Int = 1) {
    let json = """
      {"page": \(page), "results": [\(results)], "total_pages": \(pages), "total_results": 42}
      """
    stub.stub(.get, "/3/movie/*", with: .json(json))
  }

  @Test(arguments: [
    (MovieList.nowPlaying, "/3/movie/now_playing"), (.topRated, "/3/movie/top_rated"),
  ])
  func `lists are asked for by language and page`(list: MovieList, path: String) async throws {
    response(page: 3, of: 9)
    _ = try await catalogue.movies(in: list, language: "pt-BR", page: 3)
    #expect(stub.requests.map(\.head.path) == ["\(path)?language=pt-BR&page=3"])
  }

  @Test func `movie carries all that is shown`() async throws {
    response(
      """
      {"id": 420818, "title": "星空 🌌", "overview": "At\\nlength", "poster_path": "/a.jpg",
        "backdrop_path": "/b.jpg", "release_date": "2019-07-12", "vote_average": 6.9, "vote_count": 375,
        "adult": false}
      """)
    let listing = try await catalogue.movies(in: .topRated, language: "en-US", page: 1)
    #expect(
      listing.items == [
        Movie(
          id: 420818, title: "星空 🌌", poster: URL(string: "https://img.example/p/w342/a.jpg"),
          backdrop: URL(string: "https://img.example/p/w780/b.jpg"), releaseDate: "2019-07-12",
          voteAverage: 6.9, voteCount: 375, overview: "At\nlength")
      ])
    #expect(listing.total == 42)
  }

  @Test func `one movie has more than a list`() async throws {
    stub.stub(
      .get, "/3/movie/420818",
      with: .json(
        """
        {"id": 420818, "title": "Stars", "original_title": "星空", "tagline": "Look up.",
          "overview": "At length", "poster_path": "/a.jpg", "release_date": "2019-07-12",
          "runtime": 118, "genres": [{"id": 18, "name": "Drama"}, {"id": 1}, {"name": "War"}],
          "homepage": "https://stars.example", "vote_average": 6.9, "vote_count": 375}
        """))
    let key = MovieKey(id: 420818, language: "de-DE")
    let movie = try #require(try await catalogue.movie(key))
    #expect(stub.requests.map(\.head.path) == ["/3/movie/420818?language=de-DE"])
    #expect(movie.originalTitle == "星空" && movie.tagline == "Look up." && movie.runtime == 118)
    #expect(movie.genres == ["Drama", "War"], "what can't be read is left out")
    #expect(movie.link == URL(string: "https://stars.example"))
  }

  @Test(arguments: [
    #""runtime": 0, "tagline": "", "homepage": "", "genres": []"#,
    #""runtime": -1, "tagline": " ", "homepage": null, "genres": null"#,
    #""runtime": "2 h", "tagline": 7, "homepage": {}, "genres": [null, 18]"#,
  ])
  func `details may be missing empty or odd`(members: String) async throws {
    stub.stub(.get, "/3/movie/*", with: .json(#"{"id": 1, "title": "Untitled", \#(members)}"#))
    let movie = try #require(try await catalogue.movie(MovieKey(id: 1, language: "en-US")))
    #expect(movie.runtime == nil && movie.tagline == nil && movie.link == nil && movie.genres == [])
  }

  @Test func `only missing movie is none`() async throws {
    stub.stub(.get, "/3/movie/1", with: .status(.notFound))
    stub.stub(.get, "/3/movie/2", with: .status(.unauthorized))
    #expect(try await catalogue.movie(MovieKey(id: 1, language: "en-US")) == nil)
    await #expect(throws: Client.Error.self) {
      try await catalogue.movie(MovieKey(id: 2, language: "en-US"))
    }
  }

  @Test(arguments: [
    #""x": 1"#, #""overview": null, "release_date": null, "poster_path": null"#,
    #""overview": "", "release_date": "", "poster_path": """#,
    #""vote_average": null, "vote_count": null"#,
    #""overview": 1, "release_date": [], "poster_path": false"#,
    #""vote_average": "7.4", "vote_count": "3""#, #""vote_average": {}, "vote_count": 1e30"#,
    #""vote_average": 1e300, "vote_count": -1"#, #""vote_average": -0.5"#,
    #""vote_average": 10.5"#, #""poster_path": "a.jpg""#,
    #""poster_path": "https://example.com/a.jpg""#,
  ])
  func `much may be missing null empty or odd`(members: String) async throws {
    response(#"{"id": 1, "title": "Untitled", \#(members)}"#)
    let listing = try await catalogue.movies(in: .nowPlaying, language: "en-US", page: 1)
    #expect(
      listing.items == [
        Movie(
          id: 1, title: "Untitled", poster: nil, releaseDate: "", voteAverage: nil, voteCount: nil,
          overview: "")
      ])
  }

  @Test func `no votes are not the same as unknown votes`() async throws {
    response(#"{"id": 1, "title": "Untitled", "vote_average": 0, "vote_count": 0}"#)
    let listing = try await catalogue.movies(in: .nowPlaying, language: "en-US", page: 1)
    #expect(listing.items.map(\.voteCount) == [0])
    #expect(listing.items.map(\.voteAverage) == [0])
  }

  @Test(
    arguments: [
      (#""page": 1"#, 2, nil), (#""page": 1, "total_pages": null"#, 2, nil), (#""x": 1"#, nil, nil),
      (#""total_pages": 3, "total_results": 60"#, 2, 60),
      (#""page": "1", "total_pages": "3", "total_results": "60""#, nil, nil),
      (#""page": 1, "total_pages": 1e30, "total_results": -3"#, 2, nil),
    ] as [(String, Int?, Int?)])
  func `missing or odd totals lose no movie`(members: String, next: Int?, total: Int?) async throws
  {
    stub.stub(
      .get, "/3/movie/*",
      with: .json(#"{"results": [{"id": 1, "title": "Untitled"}], \#(members)}"#))
    let listing = try await catalogue.movies(in: .nowPlaying, language: "en-US", page: 1)
    #expect(listing.items.map(\.id) == [1])
    #expect(listing.nextPage == next)
    #expect(listing.total == total)
  }

  @Test(
    arguments: [
      (1, 1, nil), (1, 2, 2), (2, 2, nil), (3, 2, nil), (1, 0, nil), (499, 979, 500),
      (500, 979, nil),
      (500, 500, nil),
    ] as [(Int, Int, Int?)])
  func `pages end with the last one and never pass500`(page: Int, pages: Int, next: Int?)
    async throws
  {
    response(page: page, of: pages)
    let listing = try await catalogue.movies(in: .topRated, language: "en-US", page: page)
    #expect(listing.nextPage == next)
  }

  @Test(arguments: [-1, 0, 2])
  func `first page is shown whatever its number`(page: Int) async throws {
    response(#"{"id": 1, "title": "Alien"}"#, page: page, of: 9)
    let listing = try await catalogue.movies(in: .topRated, language: "en-US", page: 1)
    #expect(listing.items.map(\.id) == [1])
    #expect(listing.nextPage == 2)
  }

  @Test func `another page than was asked for is the end`() async throws {
    response(#"{"id": 1, "title": "Shown before"}"#, page: 1, of: 9)
    let listing = try await catalogue.movies(in: .topRated, language: "en-US", page: 2)
    #expect(listing == Listing([], total: 42))
  }

  @Test func `unreadable movie is left out and reported`() async throws {
    response(
      #"{"id": 1, "title": "Untitled"}, {"id": 2, "title": null}, 7, {"id": 4, "title": "Four"}"#)
    let listing = try await catalogue.movies(in: .topRated, language: "en-US", page: 1)
    #expect(listing.items.map(\.id) == [1, 4])
    #expect(listing.damaged.map(\.index) == [1, 2])
    #expect(listing.damaged.first?.reason.hasPrefix("results[1].title: ") == true)
  }

  @Test func `only unreadable movies are an error`() async throws {
    response(#"{"id": 2, "title": null}"#)
    let error = try await #require(throws: Client.Error.self) {
      _ = try await catalogue.movies(in: .topRated, language: "en-US", page: 1)
    }
    let failure = try #require(error.decodingFailure)
    #expect(failure.codingPath.hasPrefix("results[0]"))
  }
}
