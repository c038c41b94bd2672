import Curlew
import CurlewRecording
import Foundation
import HTTPTypes
import TestSupport
import Testing

extension Recordings {
  static func client(
    _ name: String, of baseURL: BaseURL, _ mode: HARTransport.Mode = .strict
  ) throws -> Client {
    let har = try HAR(contentsOf: folder.appending(path: name))
    return Client(baseURL: baseURL) { $0.transport = .har(har, mode: mode) }
  }
}

@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: Recordings.exist, "../shared/recordings is not beside this checkout"))
struct RecordingsTests {
  private struct Repository: Decodable, Sendable {
    let full_name: String
  }

  private struct Page: Decodable, Sendable {
    struct Movie: Decodable, Sendable { let title: String }
    let results: [Movie]
  }

  @Test func `git hubs redirect is followed`() async throws {
    let github = try Recordings.client("github.har", of: "https://api.github.com")
    let response = try await github.response(
      for: Request<Repository>.get("/repos/sigmavirus24/betamax"))
    #expect(response.value.full_name == "betamaxpy/betamax")
    #expect(response.url == "https://api.github.com/repositories/11439734")
  }

  @Test func `git hubs issues are there whatever the query`() async throws {
    let github = try Recordings.client("github.har", of: "https://api.github.com", .lenient)
    let issues = try await github.send(
      Request<[[String: AnyValue]]>.get(
        "/repos/betamaxpy/betamax/issues", query: ["state": "all", "per_page": 50]))
    #expect(issues.count > 50)
  }

  @Test func `git hubs pages are read to the end`() async throws {
    let github = try Recordings.client("github.har", of: "https://api.github.com")
    var pages: [Int] = []
    let few = Request<[AnyValue]>.get(
      "/repos/octokit-fixture-org/paginate-issues/issues", query: ["per_page": 3])
    for try await page in github.pages(of: few) { pages.append(page.value.count) }
    #expect(pages == [3, 3, 3, 3, 1])
    let many = Request<[AnyValue]>.get(
      "/repos/betamaxpy/betamax/issues", query: ["state": "all", "per_page": 100])
    var issues = 0
    for try await _ in github.pages(of: many).items { issues += 1 }
    #expect(issues > 100)
  }

  @Test func `a search that another client recorded is found`() async throws {
    // Recorded as q=github3+language%3Apython, once for each order of the items.
    let github = try Recordings.client("github.har", of: "https://api.github.com")
    let search = Request<Data>.get(
      "/search/repositories", query: ["q": "github3 language:python", "per_page": 100])
    #expect(try await github.send(search).count > 40_000)
    #expect(try await github.send(search).count > 40_000)
    #expect(await github.result(of: search).failure?.invalidRequest != nil)
  }

  @Test func `every recording responds to its own request`() async throws {
    for name in ["github.har", "tmdb.har", "itunes.har"] {
      let har = try HAR(contentsOf: Recordings.folder.appending(path: name))
      #expect(!har.entries.isEmpty)
      let transport = HARTransport(har)
      for entry in har.entries {
        let parts = try #require(URLComponents(string: entry.url))
        let request = OutgoingRequest(
          head: HTTPRequest(
            method: entry.method, scheme: parts.scheme, authority: parts.host,
            path: parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")),
          endpoint: Request<Void>.get("/"))
        let response = try await transport.send(request)
        var body = Data()
        for try await chunk in response.body { body.append(chunk) }
        #expect(response.head.status == entry.response.status && body == entry.response.body)
      }
    }
  }

  @Test func `tmdb says that the key is wrong`() async throws {
    let tmdb = try Recordings.client("tmdb.har", of: "https://api.themoviedb.org")
    let playing = { (key: String) in
      Request<Page>.get("/3/movie/now_playing", query: ["api_key": key])
    }
    let error = try #require(await tmdb.result(of: playing("wrong")).failure)
    #expect(error.status == .unauthorized)
    #expect(error.statusFailure?.message?.hasPrefix("Invalid API key") == true)
    #expect(!"\(error)".contains("wrong"))
    // The recording without a key responds to all other keys.
    #expect(try await tmdb.send(playing("good-key")).results.isEmpty == false)
  }
}

/// Any JSON value.
private struct AnyValue: Decodable, Sendable {
  init(from decoder: any Decoder) throws {}
}
