import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// Apple's feed is converted to movies; undecodable entries are reported.
@Suite(.timeLimit(.minutes(1)))
struct ITunesStoreTests {
  let stub = StubTransport(servesSamples: false)
  let store: ITunesStore

  init() { store = ITunesStore(client: .stubbed(by: stub)) }

  private func list(_ json: String) async throws -> Listing<StoreMovie> {
    stub.stub(.get, "/us/rss/topmovies/limit=25/json", with: .json(json))
    return try await store.topMovies(in: "us", limit: 25)
  }

  private func feed(_ entries: String...) -> String {
    #"{"feed": {"author": {}, "entry": [\#(entries.joined(separator: ","))]}}"#
  }

  /// Returns a movie with the required members and the given others.
  static func movie(_ number: Int, _ others: String = #""x": 1"#) -> String {
    """
    {"im:name": {"label": "Movie \(number)"}, "id": {"attributes": {"im:id": "\(number)"},
      "label": "https://example.com/\(number)"},
      "im:price": {"attributes": {"amount": "9.99000", "currency": "USD"}}, \(others)}
    """
  }

  /// The apps' previews show the samples.
  @Test func `samples are listed`() async throws {
    let client = Client(baseURL: "https://example.com") { $0.transport = .samples() }
    #expect(
      try await ITunesStore(client: client).topMovies(in: "us", limit: 25).items.map(\.title)
        == ["A Movie"])
    let catalogue = TMDBCatalogue(client: client, images: "https://img.example/p")
    let page = try await catalogue.movies(in: .topRated, language: "en", page: 1)
    #expect(page.items.map(\.title) == ["A Movie"])
  }

  @Test func `country and limit stand in the path as apple wants them`() async throws {
    stub.stub(.get, "/de/rss/topmovies/limit=50/json", with: .json(#"{"feed": {}}"#))
    #expect(try await store.topMovies(in: "de", limit: 50) == Listing([]))
    #expect(stub.requests.map(\.head.path) == ["/de/rss/topmovies/limit=50/json"])
  }

  @Test func `movie carries all that is shown`() async throws {
    let entry = Self.movie(
      7,
      """
      "im:image": [{"label": "https://example.com/60.jpg", "attributes": {"height": "60"}},
        {"label": "https://example.com/170.jpg", "attributes": {"height": "170"}}],
      "summary": {"label": "Somebody goes home."}, "rights": {"label": "© 2016"},
      "im:rentalPrice": {"label": "$4.99", "attributes": {"amount": "4.99", "currency": "USD"}},
      "link": [{"attributes": {"rel": "enclosure", "href": "https://example.com/7.m4v"}},
        {"attributes": {"rel": "alternate", "href": "https://example.com/movie/7?uo=2"}}],
      "category": {"attributes": {"im:id": "4410", "term": "Drama", "label": "Drama & more"}},
      "im:releaseDate": {"label": "2016-03-04T00:00:00-07:00",
        "attributes": {"label": "March 4, 2016"}}
      """)
    #expect(
      try await list(feed(entry)).items == [
        StoreMovie(
          id: "7", rank: 1, title: "Movie 7", image: URL(string: "https://example.com/170.jpg"),
          releaseDate: "March 4, 2016", amount: "9.99000", currency: "USD", rentalPrice: "4.99",
          category: "Drama & more", link: URL(string: "https://example.com/movie/7?uo=2"),
          summary: "Somebody goes home.")
      ])
  }

  @Test func `much may be missing`() async throws {
    #expect(
      try await list(feed(Self.movie(7), Self.movie(8, #""summary": null, "link": null"#))).items
        == [7, 8].map { number in
          StoreMovie(
            id: "\(number)", rank: number - 6, title: "Movie \(number)", image: nil,
            releaseDate: "",
            amount: "9.99000", currency: "USD", rentalPrice: nil, category: "", link: nil,
            summary: nil)
        })
    let unpriced = Self.movie(7).replacing("im:price", with: "price")
    #expect(try await list(feed(unpriced)).items.map(\.amount) == [nil])
  }

  @Test(arguments: [
    #""summary": {}"#, #""summary": "A text""#, #""im:rentalPrice": {"label": null}"#,
    #""im:rentalPrice": 4.99"#, #""im:image": [null]"#, #""im:image": [{}]"#, #""im:image": 7"#,
    #""im:releaseDate": {"label": "2016-03-04T00:00:00-07:00"}"#, #""category": {"attributes": 1}"#,
    #""link": [{}]"#, #""link": {"attributes": {"rel": 1, "href": 2}}"#,
  ])
  func `odd optional members lose no movie`(member: String) async throws {
    let odd = try await list(feed(Self.movie(7, member)))
    #expect(odd.damaged.isEmpty)
    #expect(try await list(feed(Self.movie(7))) == odd)
  }

  @Test(
    arguments: [
      (#"{"attributes": {"amount": "9.99"}}"#, "9.99", ""),
      (#"{"attributes": {"amount": "9.99", "currency": null}}"#, "9.99", ""),
      (#"{"attributes": {"amount": 9.99, "currency": "USD"}}"#, nil, "USD"),
      (#"{"attributes": 7}"#, nil, ""), ("{}", nil, ""), ("null", nil, ""),
      (#"{"attributes": {"amount": "", "currency": "USD"}}"#, "", "USD"),
    ] as [(String, String?, String)])
  func `price may lack its parts`(price: String, amount: String?, currency: String) async throws {
    let entry = Self.movie(7).replacing(
      #"{"attributes": {"amount": "9.99000", "currency": "USD"}}"#, with: price)
    let listing = try await list(feed(entry))
    #expect(listing.items.map(\.amount) == [amount])
    #expect(listing.items.map(\.currency) == [currency])
    #expect(listing.damaged.isEmpty)
  }

  @Test(arguments: [
    (#"{"attributes": {"im:id": "7"}}, "y": {"#, "7"), ("{", "https://example.com/7"),
  ])
  func `movie has a number or an address`(id: String, name: String) async throws {
    let entry = Self.movie(7).replacing(#"{"attributes": {"im:id": "7"},"#, with: id)
    #expect(try await list(feed(entry)).items.map(\.id) == [name])
  }

  @Test(arguments: [
    #"{"label": "https://example.com/60.jpg"}"#,
    #"[{"label": "https://example.com/60.jpg"}, null]"#,
  ])
  func `link and image may stand without a list`(image: String) async throws {
    let link = #"{"attributes": {"rel": "alternate", "href": "https://example.com/7"}}"#
    let entry = Self.movie(7, #""link": \#(link), "im:image": \#(image)"#)
    let movie = try await list(feed(entry)).items.first
    #expect(movie?.link?.absoluteString == "https://example.com/7")
    #expect(movie?.image?.absoluteString == "https://example.com/60.jpg")
  }

  @Test func `only movie stands without a list`() async throws {
    let listing = try await list(#"{"feed": {"entry": \#(Self.movie(7))}}"#)
    #expect(listing.items.map(\.title) == ["Movie 7"])
    #expect(listing.damaged.isEmpty)
  }

  @Test(arguments: [
    #"{"feed": {}}"#, #"{"feed": {"entry": []}}"#, #"{"feed": {"entry": null}}"#,
  ])
  func `feed without entries is empty`(json: String) async throws {
    #expect(try await list(json) == Listing([]))
  }

  @Test func `damaged entries are reported and the others shown`() async throws {
    let listing = try await list(
      feed(
        Self.movie(0), Self.movie(1).replacing(#""im:price": {"#, with: #""im:price": "", "y": {"#),
        "null", Self.movie(3), Self.movie(4).replacing("im:name", with: "name"),
        Self.movie(5).replacing(#""id": {"#, with: #""id": {}, "y": {"#)))
    #expect(listing.items.map(\.id) == ["0", "3"])
    #expect(listing.items.map(\.rank) == [1, 4], "the feed's ranks")
    #expect(listing.damaged.map(\.index) == [1, 2, 4, 5])
    let reasons = listing.damaged.map(\.reason)
    try #require(reasons.count == 4)
    #expect(reasons[0].hasPrefix("feed.entry[1].im:price: "), "\(reasons)")
    #expect(reasons[1].hasPrefix("feed.entry[2]: "), "\(reasons)")
    #expect(reasons[2] == #"feed.entry[4]: the key "im:name" is missing."#)
    #expect(reasons[3] == #"feed.entry[5].id: the key "label" is missing."#)
  }

  @Test(arguments: [
    (#"{"feed": {"entry": {"im:name": 1}}}"#, "feed.entry.im:name"),
    (#"{"feed": {"entry": "none"}}"#, "feed.entry"),
    (#"{"feed": {"entry": [{}]}}"#, "feed.entry[0]"),
    (#"{"feed": []}"#, "feed"), ("{}", ""),
  ])
  func `what has nothing to show is an error`(json: String, place: String) async throws {
    let error = try await #require(throws: Client.Error.self) { _ = try await list(json) }
    let failure = try #require(error.decodingFailure)
    #expect(failure.codingPath == place)
  }
}
