import Curlew
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The code of FromMoya.md, compiled and run.
@Suite("The page about migrating from Moya and RxSwift", .timeLimit(.minutes(1)))
struct FromMoyaPageTests {
  nonisolated struct Repository: Decodable, Equatable, Sendable { let fullName: String }
  nonisolated struct Issue: Decodable, Equatable, Sendable { let title: String }

  nonisolated enum GitHub {
    static func repository(_ owner: String, _ name: String) -> Request<Repository> {
      .get("/repos/\(owner)/\(name)")
    }
    static func issues(matching text: String) -> Request<[Issue]> {
      .get("/issues", query: ["q": text, "per_page": 50])
    }
    static func createIssue(_ owner: String, _ name: String, title: String) -> Request<Issue> {
      .post("/repos/\(owner)/\(name)/issues", body: .json(["title": title]))
    }
  }

  private func client() -> Client {
    let github = Client(baseURL: "https://api.github.com") {
      $0.middleware = [.retrying(), .bearer("token")]
      $0.observers = [.calling { event in print(event) }]
      $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
    }
    return github
  }

  @Test func `endpoints are requests`() async throws {
    let stub = StubTransport()
    let github = Client.stubbed(by: stub) {
      $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
    }
    stub.stub(GitHub.repository("apple", "swift"), with: .json(#"{"full_name": "apple/swift"}"#))

    let repository = try await github.send(GitHub.repository("apple", "swift"))
    #expect(repository.fullName == "apple/swift")
    let issue = try client().curl(for: GitHub.createIssue("apple", "swift", title: "A title"))
    #expect(issue.contains("https://api.github.com/repos/apple/swift/issues"))
  }

  private func model(_ github: Client) -> ScreenModel<Search<Issue>> {
    let search = Search<Issue> { text in
      try await github.send(GitHub.issues(matching: text))
    }
    let model = ScreenModel(search)
    return model
  }

  @Test func `a search has the operators`() {
    let model = model(.stubbed(by: StubTransport()))
    model.send(.term("milk"))
    #expect(model.text == "milk")

    let responses = PendingResponses<String, [Issue]>()
    let probe = ScreenProbe(Search<Issue> { try await responses.next(for: $0) })
    probe.send(.term("mil"))
    probe.advance(by: .milliseconds(499))
    probe.send(.term("milk"))
    probe.advance(by: .milliseconds(500))
    #expect(responses.requested == ["milk"])
  }

  nonisolated struct Signing: Middleware {
    let signature: @Sendable (HTTPRequest) -> String

    func send(
      _ request: OutgoingRequest, next: @escaping Next
    ) async throws(Client.Error) -> IncomingResponse {
      var request = request
      request.head.headerFields[HTTPField.Name("X-Signature")!] = signature(request.head)
      return try await next(request)
    }
  }

  @Test func `a plugin is a middleware`() async throws {
    let stub = StubTransport()
    stub.stub(.get, "/x", with: .status(.ok))
    let client = Client.stubbed(by: stub) { $0.middleware = [Signing { "\($0.method) signed" }] }
    try await client.send(Request<Void>.get("/x"))
    #expect(stub.requests.last?.head.headerFields[HTTPField.Name("X-Signature")!] == "GET signed")
  }

  @Test func `a name with a slash is one segment`() {
    let fullName = "apple/swift"
    let (owner, name) = ("apple", "swift")
    let wrong = Request<Data>.get("/repos/\(fullName)")  // sends /repos/apple%2Fswift
    let right = Request<Data>.get("/repos/\(owner)/\(name)")
    let raw = Request<Data>.get("/repos/\(raw: fullName)")  // never for input from outside
    let paths = [wrong, right, raw].map(\.path.description)
    #expect(paths == ["/repos/apple%2Fswift", "/repos/apple/swift", "/repos/apple/swift"])
  }

  @Test func `queries are written as they are`() {
    let query: Query = ["labels[]": ["bug", "help"], "draft": true]
    #expect(query.encoded == "labels%5B%5D=bug&labels%5B%5D=help&draft=true")
  }
}
