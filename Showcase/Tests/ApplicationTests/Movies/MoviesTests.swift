import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

/// The two lists of a catalogue; the tests control its responses.
@Suite(.timeLimit(.minutes(1)))
struct MoviesTests {
  typealias Query = HeldCatalogue.Query

  let catalogue = HeldCatalogue()
  let probe: ScreenProbe<Movies>

  init() {
    probe = ScreenProbe(Movies(catalogue: catalogue))
  }

  var ids: [Int] { probe.state.feed.items.map(\.id) }

  func reply(_ ids: some Sequence<Int>, next: Int? = nil, to index: Int = 0) {
    let listing = Listing(ids.map { Movie.sample($0) }, nextPage: next, total: 30)
    catalogue.pages.reply(.success(listing), to: index)
    probe.settle()
  }

  func query(_ list: MovieList, _ language: String = "en-US", _ page: Int = 1) -> Query {
    Query(list: list, language: language, page: page)
  }

  @Test func `same list again changes nothing`() {
    probe.send(.feed(.load))
    reply(1...20)
    let states = probe.states
    probe.send(.filter(.list(.nowPlaying)))
    probe.send(.filter(.language("en-US")))
    probe.send(.filter(.language("xx-XX")))
    #expect(probe.states == states)
    #expect(catalogue.pages.requested.count == 1)
  }

  @Test func `choice before the list is seen loads nothing yet`() {
    probe.send(.filter(.list(.topRated)))
    probe.send(.filter(.language("de-DE")))
    #expect(catalogue.pages.requested == [])
    probe.send(.feed(.load))
    #expect(catalogue.pages.requested == [query(.topRated, "de-DE")])
  }

  @Test func `other language is loaded from the beginning`() {
    probe.send(.feed(.restore(at: .number(3))))
    #expect(catalogue.pages.requested == [query(.nowPlaying, "en-US", 3)])
    reply(41...60)
    probe.send(.filter(.language("ja-JP")))
    #expect(catalogue.pages.requested.last == query(.nowPlaying, "ja-JP"))
    #expect(probe.state.feed.start == nil)
  }

  @Test func `languages can be chosen`() {
    #expect(MovieFilter.languages.map(\.code).contains(probe.state.filter.language))
    for language in MovieFilter.languages.map(\.code) {
      probe.send(.filter(.language(language)))
      #expect(probe.state.filter.language == language)
    }
  }
}

/// The best-selling movies of a store, by country and maximum number.
@Suite(.timeLimit(.minutes(1)))
struct TopMoviesTests {
  typealias Query = HeldStore.Query

  let store = HeldStore()
  let probe: ScreenProbe<TopMovies>

  init() {
    probe = ScreenProbe(TopMovies(store: store))
  }

  var ids: [String] { probe.state.feed.items.map(\.id) }

  func reply(_ ids: [String], damaged: [DamagedEntry] = []) {
    store.lists.reply(.success(Listing(ids.map { .sample($0) }, damaged: damaged)))
    probe.settle()
  }

  @Test func `list is one page`() {
    probe.send(.feed(.load))
    #expect(store.lists.requested == [Query(country: "us", limit: 25)])
    reply(["b", "a"])
    #expect(ids == ["b", "a"], "in the order of their rank")
    #expect(probe.state.feed.status == .ended)
    probe.send(.feed(.more))
    probe.send(.feed(.appeared("a")))
    #expect(store.lists.requested.count == 1)
  }

  @Test func `choice that is none changes nothing`() {
    probe.send(.feed(.load))
    reply(["a"])
    let states = probe.states
    for change in [.country("us"), .country("xx"), .country(""), .limit(25), .limit(7), .limit(-1)]
      as [StoreFilter.Change]
    {
      probe.send(.filter(change))
    }
    #expect(probe.states == states)
  }
}
