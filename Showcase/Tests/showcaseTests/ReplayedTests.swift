import Curlew
import CurlewRecording
import Domain
import Foundation
import HTTPTypes
import Platform
import Testing
import showcase

/// The errors of pages and commands if a recording doesn't contain a request.
@Suite(.timeLimit(.minutes(1)))
struct ReplayedTests {
  private let sources: DataSources

  /// For one repository, only the first page of issues is recorded; for another, two pages.
  init() throws {
    let entries = [
      "short/list/issues?page=1", "long/list/issues?page=1", "long/list/issues?page=2",
    ]
    .map { path in
      HAR.Entry(.get, "https://api.github.com/repos/\(path)", response: .json("[]"))
    }
    let replay = Replay(.silent)
    let network = Network(
      transport: HARTransport(HAR(entries: entries), mode: .lenient) { replay.note($0, $1) },
      isLive: false)
    let others = try #require(HardServers())
    let host = GitHubHost(client: .gitHub("https://api.github.com", over: network))
    sources = DataSources(
      host: Logged(source: host, log: .silent, isReplay: true), catalogue: others, store: others)
  }

  private func load(_ name: String, page: Int) async throws -> Listing<Domain.Issue> {
    let repository = Repository(name: try #require(RepositoryName(name)))
    return try await sources.host.openIssues(of: repository, page: page)
  }

  @Test func `page that is not recorded is not another one`() async throws {
    _ = try await load("short/list", page: 1)
    let error = await #expect(throws: Replay.MissingPage.self) {
      try await load("short/list", page: 2)
    }
    #expect(error?.localizedDescription == "The recording has no page 2.")
    // A page that is missing for one list may be recorded for another list.
    _ = try await load("long/list", page: 2)
  }
}
