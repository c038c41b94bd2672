import Curlew
import CurlewTesting
import Domain
import Foundation
import Testing

@testable import Platform

/// The endpoints for users, as documented for the GitHub API.
@Suite(.timeLimit(.minutes(1)))
struct GitHubUserTests {
  private let stub = StubTransport(servesSamples: false)
  private var client: Client { .stubbed(by: stub) { $0.jsonDecoder = .github } }

  @Test func `user has what is shown, and may have no name`() async throws {
    stub.stub(
      .get, "/users/octo%2Fcat",
      with: .json(
        """
        {"id": 583231, "login": "octocat", "name": "The Octocat", "bio": null, "public_repos": 8, "followers": 9999,
          "avatar_url": "https://avatars.example/u/583231", "type": "User"}
        """), .json(#"{"id": 1, "login": "a", "followers": "many"}"#))
    let user = try await client.send(GitHub.user("octo/cat"))
    #expect((user.id, user.login) == (583_231, "octocat"))
    #expect(user.name?.value == "The Octocat")
    #expect(user.bio?.value == nil)
    #expect(user.repositories?.value == 8)
    #expect(user.avatar?.value == "https://avatars.example/u/583231")
    let other = try await client.send(GitHub.user("octo/cat"))
    #expect(other.name == nil && other.followers?.value == nil)
  }

  @Test func `repositories of a user come page by page`() async throws {
    stub.stub(
      .get, "/users/octocat/repos",
      with: .json(#"[{"id": 7, "full_name": "octocat/Hello-World"}, {"full_name": "?"}]"#))
    let list = try await client.send(GitHub.repositories(ofUser: "octocat", page: 2))
    #expect(list.elements.map(\.repository.globalID) == [7])
    #expect(list.failures.map(\.index) == [1])
    #expect(
      stub.requests.map(\.head.path) == ["/users/octocat/repos?sort=pushed&per_page=30&page=2"])
  }
}
