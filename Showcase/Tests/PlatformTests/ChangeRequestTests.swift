import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// The requests for stars and for changes of issues' states.
@Suite(.timeLimit(.minutes(1)))
struct ChangeRequestTests {
  private let stub = StubTransport(servesSamples: false)
  private let client: Client
  private let name: RepositoryName

  init() throws {
    client = .stubbed(by: stub) { $0.jsonDecoder = .github }
    name = try #require(RepositoryName("apple/swift"))
  }

  @Test func `stars are asked for by the page`() async throws {
    stub.stub(GitHub.starred(page: 2), with: .json(#"[{"full_name": "a/b"}, 7]"#))
    let list = try await client.send(GitHub.starred(page: 2))
    #expect(list.elements.count == 1)
    #expect(list.failures.map(\.index) == [1])
    #expect(stub.requests.map(\.head.path) == ["/user/starred?per_page=30&page=2"])
  }

  @Test(arguments: [(true, .put), (false, .delete)] as [(Bool, HTTPRequest.Method)])
  func `star is put or deleted`(isOn: Bool, method: HTTPRequest.Method) async throws {
    stub.stub(method, "/user/starred/apple/swift", with: .status(.noContent))
    try await client.send(GitHub.star(name, isOn))
    #expect(stub.requests.map(\.head.method) == [method])
  }

  @Test func `reason for a refused star is passed on`() async throws {
    stub.stub(
      GitHub.star(name, true),
      with: .json(#"{"message": "Repository access blocked"}"#, status: .forbidden))
    let error = try await #require(throws: Client.Error.self) {
      try await client.send(GitHub.star(name, true))
    }
    #expect(error.status == .forbidden)
    #expect(error.statusFailure?.message == "Repository access blocked")
  }

  @Test(arguments: [(true, "open"), (false, "closed")])
  func `state of an issue is sent as a patch`(isOpen: Bool, state: String) async throws {
    let endpoint = GitHub.change(issue: 7, of: name, isOpen: isOpen)
    stub.stub(
      endpoint,
      with: .json(#"{"number": 7, "title": "Ink", "created_at": "2026-01-31T12:00:00Z"}"#))
    _ = try await client.send(endpoint)
    let request = try #require(stub.requests.first)
    #expect(request.head.method == .patch)
    #expect(request.head.path == "/repos/apple/swift/issues/7")
    let body = try #require(request.body?.data)
    #expect(try JSONDecoder().decode([String: String].self, from: body) == ["state": state])
  }
}
