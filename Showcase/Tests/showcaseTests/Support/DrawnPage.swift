import Application
import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import ShowcaseTestSupport
import Testing
import showcase

/// A page with a virtual clock, rendered as for a browser.
struct DrawnPage<Page: ShowcasePage> {
  let page: Page
  let probe: ScreenProbe<Page.Content>

  /// Opens a page at an address, and lets it load.
  init(_ page: Page, at address: String) {
    self.page = page
    probe = ScreenProbe(page.screen, activity: page.activity)
    go(to: address)
  }

  /// Opens another address of the page, as its links do.
  func go(to address: String) {
    for event in page.events(for: page.query(of: address) ?? [:], in: probe.state) {
      probe.send(event)
    }
    probe.settle()
  }

  /// The terminal lines of the current state.
  var lines: [String] { page.lines(of: probe.state, probe.activity) }

  /// The announcement of the current state.
  var status: String { page.view(of: probe.state, probe.activity).status }

  /// The markup of the current state.
  var html: String { page.render(probe.state, probe.activity).text }

  /// The elements of the current state.
  var elements: PageElement { PageElement(html) }

  /// The title of the current state.
  var title: String { page.title(of: probe.state) }

  /// The query of the current state's address.
  var address: String { page.address(of: probe.state).query.text }

  /// Sends an action of the browser.
  func act(_ name: String, _ value: String = "") {
    _ = page.send(LiveAction(name: name, value: value), to: probe.runner)
    probe.settle()
  }

  /// Performs the action of a click on an element.
  func click(_ selector: String) {
    let element = elements.matching(selector).first?.attributes ?? [:]
    act(element["data-live-click"] ?? "", element["data-live-value"] ?? "")
  }
}

/// An error without information.
struct Broken: Error {}

/// Servers that immediately return two items for everything, or fail.
struct TwoOfEach: CodeHost, MovieCatalogue, MovieStore, DogSource {
  /// The error that each load throws.
  var error: (any Error)?
  var isEmpty = false
  /// Whether all optional values are missing.
  var isSparse = false
  var asOf: Date? = .distantPast
  var damaged: [DamagedEntry] = []
  /// The gate on which the repository and the movies wait.
  var gate: Gate?

  private func listing<Item: Sendable>(_ items: [Item]) throws -> Listing<Item> {
    if let error { throw error }
    return Listing(
      isEmpty ? [] : items, nextPage: isSparse ? nil : 2, damaged: damaged, asOf: asOf)
  }

  func repository(named name: RepositoryName) async throws -> Repository? {
    await gate?.wait()
    if let error { throw error }
    return isEmpty ? nil : Repository(name: name, asOf: asOf)
  }
  func repositories(in language: String, page: Int) throws -> Listing<Repository> {
    try listing(
      ["apple/swift", "vapor/vapor"].compactMap { RepositoryName($0) }.map { Repository(name: $0) })
  }
  func openIssues(of repository: Repository, page: Int) throws -> Listing<Domain.Issue> {
    try listing(
      [935, 7].map { number in
        Domain.Issue(
          repository: repository.name, number: number, title: "Make it so", body: "Soon.",
          labels: [Issue.Label(name: "bug", color: "ff0000")], author: "ada",
          createdAt: .distantPast, comments: isSparse ? nil : 1)
      })
  }
  func movie(_ key: MovieKey) async throws -> Movie? {
    try await movies(in: .nowPlaying, language: key.language, page: 1).items.first
  }
  func movies(in list: MovieList, language: String, page: Int) async throws -> Listing<Movie> {
    await gate?.wait()
    return try listing(
      [1, 2].map { id in
        Movie(
          id: id, title: "Alien", poster: URL(string: "https://example.org/\(id).svg"),
          releaseDate: "1979-05-25", voteAverage: isSparse ? nil : 8,
          voteCount: isSparse ? nil : 9, overview: "In space.")
      })
  }
  func topMovies(in country: String, limit: Int) throws -> Listing<StoreMovie> {
    try listing(
      ["1", "2"].map { id in
        StoreMovie(
          id: id, rank: 4, title: "Alien", image: nil, releaseDate: "", amount: "9.99",
          currency: "USD", rentalPrice: nil, category: "Horror", link: nil, summary: "In space.")
      })
  }
  func dogs(named text: String) throws -> [Dog] {
    try listing([Dog(name: "Akita"), Dog(name: "Akbash")]).items
  }
}
