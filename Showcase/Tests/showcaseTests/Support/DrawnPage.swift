import Application
import CurlewLive
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import ShowcaseTestSupport
import showcase

/// A page on a virtual clock, as a browser would show it.
struct DrawnPage<Page: ShowcasePage> {
  let page: Page
  let probe: ScreenProbe<Tracked<Page.Inner>>

  /// Opens a page at an address and lets it load.
  init(_ page: Page, at address: String) {
    self.page = page
    probe = ScreenProbe(page.screen)
    go(to: address)
  }

  /// Goes to another address of the page, as its links do.
  func go(to address: String) {
    for event in page.events(for: page.query(of: address) ?? [:], in: probe.state) {
      probe.send(event)
    }
    probe.settle()
  }

  /// The lines of the present state in a terminal.
  var lines: [String] { page.lines(of: probe.state) }

  /// What is announced of the present state.
  var status: String { page.announcement(of: probe.state) }

  /// The markup of the present state.
  var html: String { page.render(probe.state).text }

  /// The elements of the present state.
  var elements: Elements { Elements(html) }

  /// The title of the present state.
  var title: String { page.title(of: probe.state) }

  /// The address of the present state.
  var address: String { page.address(of: probe.state).query.text }

  /// Sends an action of the browser.
  func act(_ name: String, _ value: String = "") {
    if let event = page.event(for: LiveAction(name: name, value: value)) { probe.send(event) }
    probe.settle()
  }

  /// Does what a click on an element stands for.
  func click(_ selector: String) {
    let element = elements.matching(selector).first?.attributes ?? [:]
    act(element["data-live-click"] ?? "", element["data-live-value"] ?? "")
  }
}

/// An error that tells nothing.
struct Broken: Error {}

/// Servers that have two of everything at once, or fail.
struct TwoOfEach: CodeHost, MovieCatalogue, MovieStore, DogSource {
  /// What each load throws.
  var error: (any Error)?
  var isEmpty = false
  /// Whether all that may be missing is.
  var isSparse = false
  var asOf: Date? = .distantPast
  var damaged: [DamagedEntry] = []
  /// What one repository and the movies wait for.
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
