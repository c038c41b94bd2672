import Domain
import Foundation

/// Servers with valid data that is difficult to lay out: many labels, and long words.
struct HardServers: CodeHost, DogSource, MovieCatalogue, MovieStore {
  static let word = String(repeating: "Donaudampfschifffahrt", count: 12)
  static let sentence = String(repeating: "It happens when nobody looks. ", count: 12)
  static let labels = [
    "good first issue", "help wanted", "needs reproduction", "performance", "documentation",
    "regression in 6.2", "compiler", "standard library", "Linux", "accessibility", "concurrency",
    String(repeating: "LongestLabel", count: 4),
  ].map { Domain.Issue.Label(name: $0, color: "d73a4a") }

  /// The longest name that GitHub allows.
  let name: RepositoryName

  init?() {
    let owner = "o" + String(repeating: "wner", count: 9)
    guard
      let name = RepositoryName(owner: owner, name: String(repeating: "Repository", count: 10))
    else { return nil }
    self.name = name
  }

  func repository(named name: RepositoryName) -> Repository? { repository(name) }

  func dogs(named text: String) -> [Dog] {
    [Self.word, Self.sentence, "كلب", "D"].map { name in
      var dog = Dog(name: name)
      (dog.origin, dog.group) = (Self.word, Self.sentence)
      return dog
    }
      + (0..<1_000).map { Dog(name: "Dog \($0)") }
  }

  func dog(_ id: String) -> Dog? {
    var dog = Dog(name: Self.sentence, id: id)
    (dog.origin, dog.group) = (Self.word, Self.word)
    (dog.coats, dog.temperament) = ([Self.word, Self.sentence], [Self.sentence])
    return dog
  }

  func open(_ draft: IssueDraft, key: String) async throws -> Domain.Issue {
    throw IssueRefusal([.repository: Self.word, .title: Self.sentence, .body: Self.word])
  }

  func repositories(in language: String, page: Int) -> Listing<Repository> {
    Listing([repository(name)], total: 1_234_567, isIncomplete: true, damaged: damaged)
  }

  func openIssues(of repository: Repository, page: Int) -> Listing<Domain.Issue> {
    let texts = [("Make it so", ""), (Self.word, Self.word), (Self.sentence, Self.sentence)]
    let counts = [0, 1, 5, 10, 12]
    return Listing(
      counts.flatMap { count in
        texts.enumerated().map { index, text in
          Domain.Issue(
            repository: repository.name, number: 1_000_000 + count * 10 + index, title: text.0,
            body: text.1, labels: Array(Self.labels.suffix(count)), author: name.owner,
            createdAt: .distantPast, comments: 1_234_567)
        }
      }, nextPage: 2, damaged: damaged)
  }

  /// Sends one issue and one undecodable event; the stream doesn't end.
  func openedIssues(of name: RepositoryName, after position: String?) -> IssueEvents {
    let issue = Domain.Issue(
      repository: name, number: 2_000_000, title: Self.word, body: "", labels: Self.labels,
      author: name.owner, createdAt: .distantPast, comments: 1_234_567)
    let (events, happen) = AsyncStream<IssueEvent>.makeStream()
    happen.yield(IssueEvent(.opened(issue), position: "1"))
    happen.yield(IssueEvent(.damaged(reason: "no name"), position: "2"))
    return IssueEvents(events) { event in
      withExtendedLifetime(happen) { event }
    }
  }

  func openedIssues() -> IssueEvents { openedIssues(of: name, after: nil) }

  func movie(_ key: MovieKey) -> Movie? {
    Movie(
      id: key.id, title: Self.word, poster: nil, releaseDate: "12345-01-31", voteAverage: 10,
      voteCount: .max, overview: Self.word, originalTitle: Self.sentence, tagline: Self.word,
      runtime: .max, genres: Self.labels.map(\.name) + [Self.word],
      link: URL(string: "https://example.com"))
  }

  func movies(in list: MovieList, language: String, page: Int) -> Listing<Movie> {
    let titles = ["Up", Self.word, Self.sentence]
    return Listing(
      titles.enumerated().map { index, title in
        Movie(
          id: index, title: title, poster: nil, releaseDate: "", voteAverage: 10,
          voteCount: 1_234_567, overview: title)
      }, nextPage: 2, total: 1_234_567, damaged: damaged)
  }

  func topMovies(in country: String, limit: Int) -> Listing<StoreMovie> {
    let titles = ["Up", Self.word, Self.sentence]
    return Listing(
      titles.enumerated().map { index, title in
        StoreMovie(
          id: "\(index)", rank: index + 99, title: title, image: nil, releaseDate: title,
          amount: "1234567.89", currency: "USD", rentalPrice: Self.word, category: title,
          link: URL(string: "https://example.com"), summary: title)
      }, damaged: damaged)
  }

  private let damaged = (0..<3).map { DamagedEntry(index: $0, reason: "no name") }

  private func repository(_ name: RepositoryName) -> Repository {
    Repository(
      name: name, summary: Self.word, language: Self.word, stars: .max, forks: .max,
      watchers: .max, openIssues: .max, topics: Self.labels.map(\.name) + [Self.word],
      licence: Self.word, link: URL(string: "https://example.com"))
  }
}
