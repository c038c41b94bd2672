import Curlew
import CurlewRecording
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// Recorded responses of GitHub are decoded, or rejected with an error that contains the endpoint
/// and the coding path.
@Suite(
  .enabled(if: Recordings.exist, "The recordings are not here: ../shared/recordings/*.har"),
  .timeLimit(.minutes(1)))
struct RecordingTests {
  let entries: [HAR.Entry]

  init() throws {
    entries = try HAR(contentsOf: Recordings.gitHub).entries.filter {
      $0.response.status.code < 300
    }
  }

  @Test func `every response decodes`() async throws {
    var counts = [0, 0, 0, 0]
    for entry in entries {
      let path = entry.path
      if path.wholeMatch(of: /\/(repos\/[^\/]+\/[^\/]+|repositories\/\d+)/) != nil {
        counts[0] += 1
        await expectDecoding(RepositoryPayload.self, of: entry)
      } else if path == "/search/issues" {
        counts[1] += 1
        await expectDecoding(Found<IssuePayload>.self, of: entry)
      } else if path == "/search/repositories" {
        counts[1] += 1
        await expectDecoding(Found<RepositoryPayload>.self, of: entry)
      } else if entry.method == .get, path.hasSuffix("/issues") {
        counts[2] += 1
        await expectDecoding([IssuePayload].self, of: entry)
      } else if path.contains(/\/issues(\/\d+)?$/) {
        counts[3] += 1
        await expectDecoding(IssuePayload.self, of: entry)
      }
    }
    #expect(zip(counts, [10, 4, 8, 4]).allSatisfy { $0 >= $1 }, "\(counts)")
  }

  @Test func `renamed repository is replayed to its real issues`() async throws {
    let name = try #require(RepositoryName("sigmavirus24/betamax"))
    let har = try HAR(contentsOf: Recordings.gitHub)
    let client = Client(baseURL: "https://api.github.com") {
      $0.transport = .har(har, mode: .lenient)
      $0.jsonDecoder = .github
    }
    let issues = try await TrackIssues(host: GitHubHost(client: client))(name).items
    #expect(issues.count == 13, "16 entries, 3 of them pull requests")
    #expect(Set(issues.map(\.repository.description)) == ["betamaxpy/betamax"])
    #expect(issues.contains { $0.number == 52 && $0.title == "Make cassettes thread-safe" })
  }

  @Test func `recorded search is replayed as a list of repositories`() async throws {
    let client = Client(baseURL: "https://api.github.com") {
      $0.transport = .har(HAR(entries: entries), mode: .lenient)
      $0.jsonDecoder = .github
    }
    let listing = try await GitHubHost(client: client).repositories(in: "python", page: 1)
    #expect(listing.items.count == 8)
    #expect(listing.total == 8)
    #expect(!listing.isIncomplete)
    #expect(listing.nextPage == nil)
    #expect(listing.damaged.isEmpty)
    let first = try #require(listing.items.first)
    #expect(first.id == "sigmavirus24/github3.py")
    #expect(first.language == "Python")
    #expect(first.stars ?? 0 > 100)
    #expect(first.avatar?.host()?.hasSuffix("githubusercontent.com") == true)
    #expect(first.link?.absoluteString == "https://github.com/sigmavirus24/github3.py")
    #expect(first.watchers == nil, "lists don't tell")
  }

  @Test func `recorded pages are followed by their links to the end`() async throws {
    let client = Client(baseURL: "https://api.github.com") {
      $0.transport = .har(HAR(entries: entries), mode: .lenient)
      $0.jsonDecoder = .github
    }
    let first = Request<[IssuePayload]>.get(
      "/repos/octokit-fixture-org/paginate-issues/issues", query: ["per_page": 3])
    var counts: [Int] = []
    for try await page in client.pages(of: first, limit: 20) { counts.append(page.value.count) }
    #expect(counts == [3, 3, 3, 3, 1])
  }

  /// A page of search results.
  struct Found<Item: Decodable & Sendable>: Decodable, Sendable {
    let items: [Item]
  }

  /// Decodes a recorded response through a client's whole pipeline.
  private func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, from entry: HAR.Entry
  ) async -> Result<Value, Client.Error> {
    let stub = StubTransport()
    stub.stub(.get, "/**", with: .sample(entry.response))
    let client = Client.stubbed(by: stub) { $0.jsonDecoder = .github }
    return await client.result(of: Request<Value>.get("\(raw: entry.path)"))
  }

  private func expectDecoding<Value: Decodable & Sendable>(
    _ type: Value.Type, of entry: HAR.Entry
  ) async {
    switch await decode(type, from: entry) {
    case .success: break
    case .failure(.decoding(let failure)):
      #expect("\(failure)".contains(entry.path))
      // Invalid JSON has no coding path: one recording was damaged when it was made.
      let isJSON = (try? JSONSerialization.jsonObject(with: entry.response.body)) != nil
      #expect(failure.codingPath.isEmpty == !isJSON, "\(failure)")
    case .failure(let error): Testing.Issue.record("\(entry): \(error)")
    }
  }
}

extension HAR.Entry {
  fileprivate var path: String { URLComponents(string: url)?.percentEncodedPath ?? "" }
}
