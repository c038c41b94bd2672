import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import ShowcaseTestSupport
import Synchronization
import Testing

/// Servers whose responses are controlled by a test.
struct HeldServers: CodeHost, DogSource, MovieStore {
  typealias Events = AsyncThrowingStream<IssueEvent, any Error>

  /// The streams of opened issues, with their start positions.
  final class Streams: Sendable {
    let all = Mutex<[(position: String?, events: Events.Continuation)]>([])
  }

  /// The requests for repositories by name.
  let found = PendingResponses<String, Repository?>()
  /// The requests for the issues of a repository.
  let issues = PendingResponses<String, Listing<Domain.Issue>>()
  /// The requests for the repositories in a language, by its name and the page number.
  let lists = PendingResponses<String, Listing<Repository>>()
  /// The requests for best-selling movies, by country and maximum number.
  let sales = PendingResponses<String, Listing<StoreMovie>>()
  let dogs = PendingResponses<String, [Dog]>()
  /// The requests for dogs by identifier.
  let breeds = PendingResponses<String, Dog?>()
  /// The requests that open issues, with their keys.
  let drafts = PendingResponses<String, Domain.Issue>()
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
  /// Responds to the oldest pending request.
  func reply<Request, Response>(
    _ response: Response, to transfers: PendingResponses<Request, Response>
  ) {
    transfers.reply(.success(response))
    probe.settle()
  }

  /// Fails the oldest pending request.
  func fail<Request, Response>(
    _ transfers: PendingResponses<Request, Response>, with error: any Error = Broken()
  ) {
    transfers.reply(.failure(error))
    probe.settle()
  }
}

/// An error with a delay for a retry.
struct Busy: RetryAfterError {
  let retryAfter: Duration?
}

extension Listing<Repository> {
  /// Creates a list of repositories from numbers; watchers are unknown, as in lists.
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
  /// Creates a list of issues from numbers.
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
