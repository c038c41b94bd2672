import Domain
import Testing
import showcase

/// The log for developers, while users get a short message.
@Suite(.timeLimit(.minutes(1)))
struct LogTests {
  private let lines = LogLines()
  private let repository: Repository

  init() throws {
    repository = Repository(name: try #require(RepositoryName("a/b")))
  }

  private func sources(_ error: (any Error)? = nil, damaged: Int = 1) -> Logged<TwoOfEach> {
    let entry = DamagedEntry(index: 2, reason: "feed.entry[2]: no name")
    let damaged = Array(repeating: entry, count: damaged)
    return Logged(
      source: TwoOfEach(error: error, damaged: damaged), log: lines.log, isReplay: false)
  }

  @Test func `every failure is written and passed on`() async {
    let sources = sources(Broken())
    await #expect(throws: Broken.self) { try await sources.repository(named: repository.name) }
    await #expect(throws: Broken.self) { try await sources.repositories(in: "c", page: 1) }
    await #expect(throws: Broken.self) { try await sources.openIssues(of: repository, page: 1) }
    await #expect(throws: Broken.self) {
      try await sources.movies(in: .topRated, language: "en", page: 1)
    }
    await #expect(throws: Broken.self) { try await sources.topMovies(in: "us", limit: 1) }
    #expect(lines.all == Array(repeating: "\(Broken())", count: 5))
  }

  @Test func `every entry that is left out is written`() async throws {
    let sources = sources()
    _ = try await sources.repositories(in: "c", page: 1)
    _ = try await sources.openIssues(of: repository, page: 1)
    _ = try await sources.movies(in: .topRated, language: "en", page: 1)
    _ = try await sources.topMovies(in: "us", limit: 1)
    let line = "entry 3 is skipped: feed.entry[2]: no name"
    #expect(lines.all == Array(repeating: line, count: 4))
  }

  @Test func `any number of entries is twenty lines and a count`() async throws {
    let sources = sources(damaged: 50_000)
    _ = try await sources.topMovies(in: "us", limit: 1)
    #expect(lines.all.count == 21)
    #expect(lines.all.last == "and 49,980 more")
  }
}
