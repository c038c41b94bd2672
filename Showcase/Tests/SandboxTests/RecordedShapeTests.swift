import Curlew
import CurlewRecording
import Foundation
import HTTPTypes
import Sandbox
import ShowcaseTestSupport
import Testing

/// The responses have the same keys as recorded responses of the real servers.
@Suite(
  .enabled(if: Recordings.exist, "The recordings are not here: ../shared/recordings/*.har"),
  .timeLimit(.minutes(1)))
struct RecordedShapeTests {
  @Test(.sandbox) func `top movies have the recorded keys`() async throws {
    let recorded = try Recordings.iTunes.keyPaths("/us/rss/topmovies/limit=25/json")
    #expect(recorded.count > 40)
    let reply = try await browser.get("/us/rss/topmovies/limit=25/json")
    #expect(try reply.keyPaths() == recorded)
  }

  @Test(.sandbox, arguments: ["/3/movie/now_playing", "/3/movie/top_rated"])
  func `films have the recorded keys`(path: String) async throws {
    let recorded = try Recordings.tmdb.keyPaths(path)
    #expect(recorded.count > 15)
    let reply = try await browser.get("\(path)?api_key=\(Sandbox.tmdbKey)")
    #expect(try reply.keyPaths() == recorded)
  }

  @Test(.sandbox) func `refusal of a key is the recorded one`() async throws {
    let entry = try #require(try Recordings.tmdb.entries().first { $0.response.status.code == 401 })
    let reply = try await browser.get("/3/movie/now_playing?api_key=wrong")
    let refusal = try JSONDecoder().decode(Refusal.self, from: entry.body)
    #expect(try reply.keyPaths() == keyPaths(entry.body))
    #expect(try reply.decode(Refusal.self) == refusal)
  }

  @Test(.sandbox) func `repositories have the recorded keys`() async throws {
    let entries = try Recordings.gitHub.entries()
    // The newest recording was made with an owner's token, whose responses have additional keys.
    let owners: Set = [
      "permissions", "temp_clone_token", "allow_squash_merge", "allow_merge_commit",
      "allow_rebase_merge", "allow_auto_merge", "delete_branch_on_merge", "allow_update_branch",
      "use_squash_pr_title_as_default",
    ]
    let newest = try #require(
      entries.first { $0.url.hasSuffix("/repos/octokit-fixture-org/hello-world") })
    let recorded = try keyPaths(newest.body)
      .filter { !owners.contains(String($0.prefix { $0 != "." })) }
    let searched = try #require(
      entries.first { $0.url.contains("/search/repositories") && $0.response.status.code == 200 })
    let detail = try await browser.get("/repos/apple/swift").keyPaths()
      .filter { !$0.hasPrefix("license.") }
    #expect(detail == recorded)
    // The recorded search is from 2017: since then, GitHub has added keys, all of which are also in
    // the details.
    let found = try await browser.get("/search/repositories?q=language:rust").keyPaths()
    #expect(found.isSuperset(of: try keyPaths(searched.body)))
    let known = recorded.union(["score"]).subtracting(["network_count", "subscribers_count"])
      .filter { !$0.hasPrefix("organization") }
    let items = found.compactMap { $0.hasPrefix("items[].") ? $0.dropFirst(8) : nil }
      .map { String($0) }.filter { !$0.hasPrefix("license.") }
    #expect(Set(items) == known)
  }
}

extension URL {
  fileprivate func entries() throws -> [HAR.Entry] { try HAR(contentsOf: self).entries }

  /// Returns the keys of the first successful response for a path.
  fileprivate func keyPaths(_ path: String) throws -> Set<String> {
    let entry = try #require(
      try entries().first { $0.url.hasSuffix(path) && $0.response.status.code == 200 })
    return try SandboxTests.keyPaths(entry.body)
  }
}

extension HAR.Entry {
  var body: Data { Data(response.body) }
}
