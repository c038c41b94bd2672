import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import ShowcaseTestSupport
import Synchronization

/// Servers whose responses come when a test gives them.
struct HeldServers: CodeHost, DogSource, MovieStore {
  typealias Events = AsyncThrowingStream<IssueEvent, any Error>

  /// The streams of opened issues, and where they begin.
  final class Streams: Sendable {
    let all = Mutex<[(position: String?, events: Events.Continuation)]>([])
  }

  /// The repositories, asked for by name.
  let found = Transfers<String, Repository?>()
  /// The issues of a repository.
  let issues = Transfers<String, Listing<Domain.Issue>>()
  /// The repositories in a language, by its name and the number of the page.
  let lists = Transfers<String, Listing<Repository>>()
  /// What sells best, by country and length.
  let sales = Transfers<String, Listing<StoreMovie>>()
  let dogs = Transfers<String, [Dog]>()
  /// The dogs, asked for by their ids.
  let breeds = Transfers<String, Dog?>()
  /// The issues that were to be opened, with their keys.
  let drafts = Transfers<String, Domain.Issue>()
  let streams = Streams()

  func repository(named name: RepositoryName) async throws -> Repository? {
    try await found.next(for: "\(name)")
  }

  func openIssues(of repository: Repository, page: Int) async throws -> Listing<Domain.Issue> {
    try await issues.next(for: "\(repository.name)")
  }

  func repositories(in language: String, page: Int) async throws -> Listing<Repository> {
    try await lists.next(for: "\(language) \(page)")
  }

  func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie> {
    try await sales.next(for: "\(country) \(limit)")
  }

  func dogs(named text: String) async throws -> [Dog] { try await dogs.next(for: text) }

  func dog(_ id: String) async throws -> Dog? { try await breeds.next(for: id) }

  func open(_ draft: IssueDraft, key: String) async throws -> Domain.Issue {
    try await drafts.next(for: "\(draft[.repository]) \(draft[.title]) \(key)")
  }

  func openedIssues(of name: RepositoryName, after position: String?) -> IssueEvents {
    let (events, happen) = Events.makeStream()
    streams.all.withLock { $0.append((position, happen)) }
    return IssueEvents(events) { $0 }
  }
}

extension DrawnPage {
  /// Gives the oldest response that something waits for.
  func reply<Request, Response>(
    _ response: Response, to transfers: Transfers<Request, Response>
  ) {
    transfers.reply(.success(response))
    probe.settle()
  }

  /// Lets the oldest request fail.
  func fail<Request, Response>(
    _ transfers: Transfers<Request, Response>, with error: any Error = Broken()
  ) {
    transfers.reply(.failure(error))
    probe.settle()
  }
}

/// A server that wants to be left alone for a while.
struct Busy: RetryAfterError {
  let retryAfter: Duration?
}

extension Listing<Repository> {
  /// Repositories by their numbers, of which the list leaves out who watches them.
  init(
    _ numbers: some Sequence<Int>, nextPage: Int? = nil, total: Int? = nil,
    isIncomplete: Bool = false
  ) {
    let items = numbers.compactMap { number in
      RepositoryName(owner: "owner", name: "n\(number)").map {
        Repository(
          name: $0, language: "Kotlin", stars: 1_200 - number, forks: number, openIssues: 3)
      }
    }
    self.init(items, nextPage: nextPage, total: total, isIncomplete: isIncomplete)
  }
}

extension Listing<Domain.Issue> {
  /// Issues by their numbers.
  init(_ numbers: [Int], of repository: RepositoryName) {
    self.init(numbers.map { .sample($0, of: repository) })
  }
}

extension Domain.Issue {
  static func sample(_ number: Int, of repository: RepositoryName) -> Self {
    Self(
      repository: repository, number: number, title: "Issue \(number)", body: "Soon.", labels: [],
      author: "ada", createdAt: .distantPast, comments: 0)
  }
}
