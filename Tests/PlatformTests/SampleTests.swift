import Curlew
import CurlewTesting
import Domain
import Platform
import Testing

/// What the endpoints carry as samples of their answers is what they decode.
@Suite(.timeLimit(.minutes(1)))
struct SampleTests {
  @Test func samplesDecodeIntoTheDomainsValues() async throws {
    let name = try #require(RepositoryName("apple/swift"))
    let host = GitHubHost(client: .stubbed(by: StubTransport()) { $0.jsonDecoder = .github })
    let repository = try #require(try await host.repository(named: name))
    #expect(repository.name == name)
    let issues = try await host.openIssues(of: repository)
    #expect(issues.map(\.title) == ["Make it so"])
    #expect(issues.first?.labels == [.init(name: "bug", color: "d73a4a")])
  }
}
