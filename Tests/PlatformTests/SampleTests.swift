import Curlew
import CurlewTesting
import Domain
import Foundation
import Platform
import Testing

/// What the endpoints carry as samples of their responses is what they decode.
@Suite(.timeLimit(.minutes(1)))
struct SampleTests {
  private let host = GitHubHost(
    client: .stubbed(by: StubTransport()) { $0.jsonDecoder = .github })

  @Test func `samples decode into the domains values`() async throws {
    let name = try #require(RepositoryName("apple/swift"))
    let repository = try #require(try await host.repository(named: name))
    #expect(repository.name == name)
    let issues = try await host.openIssues(of: repository, page: 1).items
    #expect(issues.map(\.title) == ["Make it so"])
    #expect(issues.first?.labels == [.init(name: "bug", color: "d73a4a")])
  }

  @Test func `sample of a search is a repository`() async throws {
    let listing = try await host.repositories(in: "swift", page: 1)
    let repository = try #require(listing.items.first)
    #expect(repository.name.description == "apple/swift")
    #expect(repository.licence == "Apache-2.0")
    #expect(repository.avatar != nil)
    #expect(listing.total == 1)
  }

  @Test func `sample of the store is a movie`() async throws {
    let store = ITunesStore(client: .stubbed(by: StubTransport()))
    let listing = try await store.topMovies(in: "us", limit: 25)
    #expect(listing.items.map(\.title) == ["The Long Way Home"])
    #expect(listing.items.first?.image?.lastPathComponent == "170.jpg")
    #expect(listing.damaged.isEmpty)
  }

  @Test(arguments: MovieList.allCases)
  func `samples of both lists are movies`(list: MovieList) async throws {
    let catalogue = TMDBCatalogue(client: .stubbed(by: StubTransport()))
    let listing = try await catalogue.movies(in: list, language: "en-US", page: 1)
    #expect(listing.items.map(\.title) == ["The Long Way Home", "Untitled"])
    #expect(listing.items.map { $0.poster == nil } == [false, true])
    #expect(listing.nextPage == nil)
  }
}
