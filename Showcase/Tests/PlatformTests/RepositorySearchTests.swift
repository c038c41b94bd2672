import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// GitHub's search results are converted to a list of repositories, page by page.
@Suite(.timeLimit(.minutes(1)))
struct RepositorySearchTests {
  let stub = StubTransport(servesSamples: false)
  let host: GitHubHost

  init() { host = GitHubHost(client: .stubbed(by: stub) { $0.jsonDecoder = .github }) }

  private func response(
    _ names: [String], total: Int, isIncomplete: Bool = false, link: String? = nil
  ) throws {
    let items = names.map { #"{"full_name": "\#($0)", "stargazers_count": 5}"# }
    let json = """
      {"total_count": \(total), "incomplete_results": \(isIncomplete),
        "items": [\(items.joined(separator: ","))]}
      """
    var fields: HTTPFields = [:]
    fields[try #require(HTTPField.Name("Link"))] = link
    stub.stub(
      .get, "/search/repositories",
      with: .sample(Sample(headerFields: fields, body: Data(json.utf8))))
  }

  @Test(arguments: [
    ("swift", "language%3Aswift"), ("jupyter notebook", "language%3A%22jupyter%20notebook%22"),
    ("c++", "language%3Ac%2B%2B"), ("C#", "language%3AC%23"),
    ("a\" stars:>1", "language%3A%22a%20stars%3A%3E1%22"), ("\"swift\"", "language%3Aswift"),
  ])
  func `language is asked for as one term`(language: String, term: String) async throws {
    try response([], total: 0)
    let listing = try await host.repositories(in: language, page: 3)
    #expect(listing == Listing([], total: 0))
    #expect(
      stub.requests.map(\.head.path) == [
        "/search/repositories?q=\(term)&sort=stars&order=desc&per_page=10&page=3"
      ])
  }

  @Test func `page carries items total and the next page`() async throws {
    try response(
      ["apple/swift", "vapor/vapor"], total: 1234,
      link: """
        <https://api.github.com/search/repositories?q=a%2Cb&page=1>; rel="first", \
        <https://api.github.com/search/repositories?q=a%2Cb&page=4>; rel="last next"
        """)
    let listing = try await host.repositories(in: "swift", page: 3)
    #expect(listing.items.map(\.id) == ["apple/swift", "vapor/vapor"])
    #expect(listing.items.first?.stars == 5)
    #expect(listing.total == 1234)
    #expect(!listing.isIncomplete)
    #expect(listing.nextPage == 4)
  }

  @Test func `last page names no next one however many there are`() async throws {
    try response(
      ["a/b"], total: 50_000,
      link: "<https://api.github.com/search/repositories?page=99>; rel=\"prev\"")
    let listing = try await host.repositories(in: "swift", page: 100)
    #expect(listing.nextPage == nil)
    #expect(listing.total == 50_000)
  }

  @Test func `results that GitHub gave up on are incomplete`() async throws {
    try response(["a/b"], total: 7, isIncomplete: true)
    let listing = try await host.repositories(in: "swift", page: 1)
    #expect(listing.isIncomplete)
    #expect(listing.items.count == 1)
  }

  @Test(arguments: [
    #""items": [{"full_name": "a/b"}]"#,
    #""items": [{"full_name": "a/b"}], "incomplete_results": null, "total_count": null"#,
    #""items": [{"full_name": "a/b"}], "incomplete_results": "no", "total_count": "3""#,
    #""items": [{"full_name": "a/b"}], "incomplete_results": 1, "total_count": 1e30"#,
    #""items": [{"full_name": "a/b"}], "total_count": -3"#,
  ])
  func `unimportant missing or odd keys lose nothing`(members: String) async throws {
    stub.stub(.get, "/search/repositories", with: .json("{\(members)}"))
    let name = try #require(RepositoryName("a/b"))
    #expect(
      try await host.repositories(in: "swift", page: 1) == Listing([Repository(name: name)]))
  }

  @Test func `unreadable repositories are left out and reported`() async throws {
    try response(["apple/swift", "swift", "a/b"], total: 3)
    let listing = try await host.repositories(in: "swift", page: 1)
    #expect(listing.items.map(\.id) == ["apple/swift", "a/b"])
    #expect(
      listing.damaged == [
        DamagedEntry(
          index: 1, reason: #"items[1].full_name: expected owner/name, found "swift""#)
      ])
  }

  @Test func `past a thousand results git hubs words are passed on`() async throws {
    let message = "Only the first 1000 search results are available"
    stub.stub(
      .get, "/search/repositories",
      with: .json("{\"message\": \"\(message)\"}", status: .unprocessableContent))
    let error = try await #require(throws: Client.Error.self) {
      _ = try await host.repositories(in: "swift", page: 101)
    }
    let failure = try #require(error.statusFailure)
    #expect(failure.response.status.code == 422)
    #expect(failure.message == message)
  }
}
