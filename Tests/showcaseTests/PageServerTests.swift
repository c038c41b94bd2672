import Application
import Curlew
import CurlewAsyncHTTPClient
import Domain
import HTTPTypes
import Testing

/// What the server of the pages does beside drawing them; over a real socket.
@Suite(.timeLimit(.minutes(1)))
struct PageServerTests {
  private struct NoHost: CodeHost {
    func repository(named name: RepositoryName) async throws -> Repository? { nil }
    func openIssues(of repository: Repository) async throws -> IssueList { [] }
  }

  /// Serves the pages and asks them for something, as a request for a host.
  private func ask(
    _ method: HTTPRequest.Method, _ path: Path, host: String? = nil
  ) async throws -> Client.StatusFailure? {
    let server = PageServer(IssueTracker(TrackIssues(host: NoHost())))
    try await server.start()
    let client = Client(baseURL: try BaseURL("http://127.0.0.1:\(await server.port)")) {
      $0.transport = .asyncHTTPClient
      $0.limits.redirects = 0
    }
    var fields = HTTPFields()
    if let host, let name = HTTPField.Name("Host") { fields[name] = host }
    let request = Request<String>(method, path, headerFields: fields, decoding: .text)
    let result = await client.result(of: request)
    await server.stop()
    if case .failure(.status(let failure)) = result { return failure }
    if case .failure(let error) = result { throw error }
    return nil
  }

  @Test(arguments: ["evil.example", "evil.example:80", "127.0.0.1.evil.example"])
  func anotherHostsNameIsRefused(host: String) async throws {
    let failure = try await ask(.get, "/issues", host: host)
    #expect(failure?.response.status == .misdirectedRequest)
  }

  @Test(arguments: ["localhost", "localhost:8080", "127.0.0.1", "[::1]:8080", "LOCALHOST"])
  func thisMachinesNamesAreServed(host: String) async throws {
    let failure = try await ask(.get, "/issues", host: host)
    #expect(failure == nil)
  }

  @Test func addressThatLeadsNowhereHasAPage() async throws {
    let failure = try #require(try await ask(.get, "/nope"))
    #expect(failure.response.status == .notFound)
    #expect(String(decoding: failure.body, as: UTF8.self).contains("There is no such page"))
    #expect(failure.response.headerFields[.contentSecurityPolicy] != nil)
  }

  @Test func headOfAnAddressThatLeadsNowhereHasNoBody() async throws {
    let failure = try #require(try await ask(.head, "/nope"))
    #expect(failure.response.status == .notFound)
    #expect(failure.body.isEmpty)
  }

  @Test(arguments: [HTTPRequest.Method.get, .head])
  func rootLeadsToTheIssues(method: HTTPRequest.Method) async throws {
    await #expect {
      _ = try await ask(method, "/")
    } throws: { error in
      guard case .redirect(let failure)? = error as? Client.Error else { return false }
      return failure.location.hasSuffix("/issues") && failure.reason == .tooMany(limit: 0)
    }
  }
}
