import Application
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import ShowcaseTestSupport
import Synchronization

/// A host whose responses are controlled by a test or an exploration, including responses to cancelled requests.
struct HeldCodeHost: CodeHost {
  struct Query: Hashable, Sendable {
    let language: String
    var page = 1
  }

  var named = PendingResponses<RepositoryName, Repository?>()
  var listed = PendingResponses<Query, Listing<Repository>>()
  var issues = PendingResponses<RepositoryName, Listing<Domain.Issue>>()
  let watched = Streams()

  typealias Stream = AsyncThrowingStream<IssueEvent, any Error>

  /// The streams of opened issues; a test sends their events.
  final class Streams: Sendable {
    let all = Mutex<[(name: String, position: String?, stream: Stream.Continuation)]>([])
  }

  func repository(named name: RepositoryName) async throws -> Repository? {
    try await named.next(for: name)
  }

  func repositories(in language: String, page: Int) async throws -> Listing<Repository> {
    try await listed.next(for: Query(language: language, page: page))
  }

  func openIssues(of repository: Repository, page: Int) async throws -> Listing<Domain.Issue> {
    try await issues.next(for: repository.name)
  }

  func openedIssues(of repository: RepositoryName, after position: String?) -> IssueEvents {
    let (stream, continuation) = Stream.makeStream()
    watched.all.withLock { $0.append(("\(repository)", position, continuation)) }
    return IssueEvents(stream) { $0 }
  }

  func openedIssues() -> IssueEvents {
    let (stream, continuation) = Stream.makeStream()
    watched.all.withLock { $0.append(("all", nil, continuation)) }
    return IssueEvents(stream) { $0 }
  }
}

/// A catalogue whose responses are controlled by a test.
struct HeldCatalogue: MovieCatalogue {
  struct Query: Hashable, Sendable {
    let list: MovieList
    let language: String
    let page: Int
  }

  var pages = PendingResponses<Query, Listing<Movie>>()
  let details = PendingResponses<MovieKey, Movie?>()

  func movie(_ key: MovieKey) async throws -> Movie? { try await details.next(for: key) }

  func movies(in list: MovieList, language: String, page: Int) async throws -> Listing<Movie> {
    try await pages.next(for: Query(list: list, language: language, page: page))
  }
}

/// A store whose responses are controlled by a test.
struct HeldStore: MovieStore {
  struct Query: Hashable, Sendable {
    let country: String
    let limit: Int
  }

  var lists = PendingResponses<Query, Listing<StoreMovie>>()

  func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie> {
    try await lists.next(for: Query(country: country, limit: limit))
  }
}

/// A navigator that records the addresses.
final class Footprints: Navigator {
  private let addresses = Mutex<[String]>([])
  var all: [String] { addresses.withLock { $0 } }
  func go(to route: any Route) { addresses.withLock { $0.append(route.address) } }
}

struct Broke: LocalizedError {
  var errorDescription: String? { "It broke." }
}

extension LoadFailure {
  static let broke = LoadFailure(Broke()).textOnly
}

extension Repository {
  static func sample(_ number: Int, in language: String = "Swift") -> Repository? {
    RepositoryName(owner: "owner", name: "n\(number)").map {
      Repository(name: $0, language: language, stars: 1_000 - number)
    }
  }

  /// Returns a sample repository with a number of stars.
  static func starred(_ stars: Int) -> Self {
    var repository = samples([stars])[0]
    repository.stars = stars
    return repository
  }

  /// Returns sample repositories for numbers.
  static func samples(_ numbers: some Sequence<Int>, in language: String = "Swift") -> [Self] {
    numbers.compactMap { sample($0, in: language) }
  }
}

extension Domain.Issue {
  static func sample(_ number: Int, of repository: RepositoryName) -> Self {
    Self(
      repository: repository, number: number, title: "Issue \(number)", body: "At length",
      labels: [], author: "ada", createdAt: Date(timeIntervalSince1970: 0), comments: 0)
  }
}

extension Movie {
  static func sample(_ id: Int, _ title: String = "A movie") -> Movie {
    Movie(
      id: id, title: title, poster: nil, releaseDate: "2026-01-31", voteAverage: 7.44,
      voteCount: 9, overview: "Things happen.")
  }
}

extension StoreMovie {
  static func sample(_ id: String, _ title: String = "A movie") -> StoreMovie {
    StoreMovie(
      id: id, rank: 1, title: title, image: nil, releaseDate: "November 4, 2025", amount: "14.99",
      currency: "USD", rentalPrice: nil, category: "Drama", link: nil, summary: nil)
  }
}
