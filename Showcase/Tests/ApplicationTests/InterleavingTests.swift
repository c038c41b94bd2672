import Application
import CurlewScreens
import CurlewTesting
import Domain
import ShowcaseTestSupport
import Testing

/// The screens of the showcase in all orders of the user's events, the time and the responses, also of cancelled requests.
///
/// The exploration itself checks that each load ends, and that no older response replaces a newer one.
@Suite(.timeLimit(.minutes(2)))
struct InterleavingTests {
  private func explore<S: Screen>(
    _ screen: @autoclosure @escaping () -> S, events: [S.Event],
    checking properties: ExplorationProperty<ScreenProbe<S>>...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await CurlewTesting.explore(
      screen(), events: events, checking: properties, runs: Fuzz.stories(full: 600),
      seed: Fuzz.seed(), sourceLocation: sourceLocation)
  }

  /// Returns a page of three items, of three pages; each page repeats the last item of the previous one.
  private static func page<Item: Sendable>(
    _ number: Int, _ item: (Int) -> Item
  ) -> Listing<Item> {
    Listing(
      (number * 2...number * 2 + 2).map(item), nextPage: number < 3 ? number + 1 : nil, total: 7)
  }

  /// The events of a list.
  private static func listEvents<Item>() -> [Feed<Item>.Event] { [.load, .more, .refresh, .retry] }

  // MARK: Lists

  @Test func `repositories keep their promises`() async {
    let host = HeldCodeHost(
      listed: PendingResponses { query in
        Self.page(query.page) { Self.repository($0, in: query.language) }
      })
    await explore(
      Repositories(host: host, recent: RecentValues()),
      events: ["swift", "c", " c", ""].map { .search(.term($0)) } + [.search(.submit())]
        + Self.listEvents().map { .search(.list($0)) },
      checking: .uniqueRows(\.search.list.items),
      .always { probe in
        let search = probe.state.search
        // The rows of the previous language stay until the new rows are loaded.
        let isOlder = search.list.status.kind == .first
        #expect(isOlder || search.list.items.allSatisfy { $0.language == search.term })
        #expect(!search.query.isEmpty || search.list == .init())
      },
      .finally { probe in
        let search = probe.state.search
        #expect(search.query == search.term ?? "")
      })
  }

  private static func repository(_ place: Int, in language: String) -> Repository {
    // A name of letters and digits is always valid.
    Repository.samples([place], in: language)[0]
  }

  @Test func `movies keep their promises`() async {
    let catalogue = HeldCatalogue(
      pages: PendingResponses { query in
        Self.page(query.page) { .sample($0, "\(query.list) in \(query.language)") }
      })
    await explore(
      Movies(catalogue: catalogue),
      events: MovieList.allCases.map { .filter(.list($0)) }
        + ["en-US", "de-DE", "xx"].map { .filter(.language($0)) }
        + Self.listEvents().map { .feed($0) },
      checking: .uniqueRows(\.feed.items),
      .always { probe in
        let title = "\(probe.state.filter.list) in \(probe.state.filter.language)"
        #expect(probe.state.feed.items.allSatisfy { $0.title == title })
      })
  }

  @Test func `top movies keep their promises`() async {
    let store = HeldStore(
      lists: PendingResponses { query in
        Listing(["a", "b"].map { .sample($0, "\(query.limit) in \(query.country)") })
      })
    await explore(
      TopMovies(store: store),
      events: ["us", "de", "xx"].map { .filter(.country($0)) }
        + [10, 25, 7].map { .filter(.limit($0)) } + Self.listEvents().map { .feed($0) },
      checking: .always { probe in
        let title = "\(probe.state.filter.limit) in \(probe.state.filter.country)"
        #expect(probe.state.feed.items.allSatisfy { $0.title == title })
      })
  }

  // MARK: Details

  @Test func `repository detail keeps its promises`() async {
    let names = (0...3).map { Self.repository($0, in: "").name }
    let host = HeldCodeHost(
      named: PendingResponses { $0 == names[3] ? nil : Repository(name: $0, watchers: 1) })
    let recent = RecentValues<RepositoryName, Repository>()
    recent.remember(Repository.samples(0...1), by: \.name)
    await explore(
      RepositoryDetail(host: host, recent: recent),
      events: names.map { .detail(.show($0)) } + [.detail(.refresh), .detail(.retry), .issues],
      checking: .always { probe in
        let state = probe.state
        #expect(state.repository == nil || state.repository?.name == state.detail.id)
        #expect(state.repository == nil || state.detail.content != .empty)
      })
  }

  // MARK: Searches

  @Test func `issue tracker keeps its promises`() async {
    let host = HeldCodeHost(
      named: PendingResponses { $0.name == "none" ? nil : Repository(name: $0) },
      issues: PendingResponses { name in Listing([1, 2].map { .sample($0, of: name) }) })
    await explore(
      IssueTracker(TrackIssues(host: host)),
      events: ["a/b", "a/c", "a/none", "a", "", "a/b "].map { .search(.term($0)) }
        + [.search(.submit()), .search(.list(.retry)), .pick(1), .pick(2), .close],
      checking: .always { probe in
        let (state, search) = (probe.state, probe.state.search)
        let list = search.list
        #expect(
          list.status.kind == .first
            || list.items.allSatisfy { "\($0.repository)" == search.term })
        #expect(list.status != .empty || search.term == "a/none")
        #expect(state.picked == nil || state.picked?.number == state.selection)
        #expect(!search.query.isEmpty && search.hint == nil || list.status == .idle)
      },
      .finally { probe in
        let search = probe.state.search
        #expect(search.hint != nil || search.query == search.term ?? "")
      })
  }

  @Test func `dog search keeps its promises`() async {
    struct HeldDogs: DogSource {
      let found: PendingResponses<String, [Dog]>

      func dogs(named text: String) async throws -> [Dog] { try await found.next(for: text) }
    }
    let found = PendingResponses { (text: String) in
      text == "poodle" ? [] : ["Akita", "Samoyed"].map { Dog(name: "\($0) of \(text)") }
    }
    await explore(
      DogSearch(HeldDogs(found: found)),
      events: ["g", "gr", "poodle", "", " g "].map { .term($0) } + [.submit, .retry],
      checking: .always { probe in
        let state = probe.state
        let term = state.shownTerm ?? ""
        #expect(state.items.allSatisfy { $0.name.hasSuffix(" of \(term)") })
        #expect(state.results != .empty || state.term == "poodle")
        #expect(state.results == .idle || state.term != nil)
      },
      .finally { probe in
        let state = probe.state
        #expect(state.query.isEmpty || state.term == state.query)
      })
  }
}
