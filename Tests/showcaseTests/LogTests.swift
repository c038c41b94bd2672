import Domain
import Synchronization
import Testing

@testable import showcase

/// What is written for developers while users read a sentence.
@Suite(.timeLimit(.minutes(1)))
struct LogTests {
  private struct Broken: Error, CustomStringConvertible {
    let description = "GET https://a.b/x: status 500: Internal error"
  }

  /// A source whose every load fails, or has an entry that can't be read.
  private struct Source: CodeHost, MovieCatalogue, MovieStore {
    let fails: Bool
    var damaged = 1

    private func list<Item>() throws -> Listing<Item> {
      if fails { throw Broken() }
      let entry = DamagedEntry(index: 2, reason: "feed.entry[2]: no name")
      return Listing([], damaged: Array(repeating: entry, count: damaged))
    }

    func repository(named name: RepositoryName) throws -> Repository? { throw Broken() }
    func repositories(in language: String, page: Int) throws -> Listing<Repository> { try list() }
    func openIssues(of repository: Repository, page: Int) throws -> Listing<Domain.Issue> {
      try list()
    }
    func movie(_ key: MovieKey) throws -> Movie? { nil }
    func movies(in list: MovieList, language: String, page: Int) throws -> Listing<Movie> {
      try self.list()
    }
    func topMovies(in country: String, limit: Int) throws -> Listing<StoreMovie> { try list() }
  }

  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    var log: Log { Log { line in self.lines.withLock { $0.append(line) } } }
  }

  private let lines = Lines()
  private let repository: Repository

  init() throws {
    repository = Repository(name: try #require(RepositoryName("a/b")))
  }

  private func sources(fail: Bool) -> Logged<Source> { Logged(Source(fails: fail), to: lines.log) }

  @Test func everyFailureIsWrittenAndPassedOn() async {
    let sources = sources(fail: true)
    await #expect(throws: Broken.self) { try await sources.repository(named: repository.name) }
    await #expect(throws: Broken.self) { try await sources.repositories(in: "c", page: 1) }
    await #expect(throws: Broken.self) { try await sources.openIssues(of: repository, page: 1) }
    await #expect(throws: Broken.self) {
      try await sources.movies(in: .topRated, language: "en", page: 1)
    }
    await #expect(throws: Broken.self) { try await sources.topMovies(in: "us", limit: 1) }
    #expect(lines.all == Array(repeating: "\(Broken())", count: 5))
  }

  @Test func everyEntryThatIsLeftOutIsWritten() async throws {
    let sources = sources(fail: false)
    _ = try await sources.repositories(in: "c", page: 1)
    _ = try await sources.openIssues(of: repository, page: 1)
    _ = try await sources.movies(in: .topRated, language: "en", page: 1)
    _ = try await sources.topMovies(in: "us", limit: 1)
    let line = "entry 3 is left out: feed.entry[2]: no name"
    #expect(lines.all == Array(repeating: line, count: 4))
  }

  @Test func anyNumberOfEntriesIsTwentyLinesAndACount() async throws {
    let sources = Logged(Source(fails: false, damaged: 50_000), to: lines.log)
    _ = try await sources.topMovies(in: "us", limit: 1)
    #expect(lines.all.count == 21)
    #expect(lines.all.last == "and 49,980 more")
  }
}
