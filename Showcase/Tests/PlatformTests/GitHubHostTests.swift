import Curlew
import CurlewTesting
import Domain
import Foundation
import HTTPTypes
import Platform
import ShowcaseTestSupport
import Testing

/// GitHub's responses are converted to the domain's values, through the client's whole pipeline.
@Suite(.timeLimit(.minutes(1)))
struct GitHubHostTests {
  let stub = StubTransport(servesSamples: false)
  let host: GitHubHost
  let name: RepositoryName
  let repository: Repository

  init() throws {
    host = GitHubHost(client: .stubbed(by: stub) { $0.jsonDecoder = .github })
    name = try #require(RepositoryName("apple/swift"))
    repository = Repository(name: name)
  }

  func list(_ json: String) async throws -> [Domain.Issue] {
    stub.stub(GitHub.issues(of: name), with: .json(json))
    return try await host.openIssues(of: repository, page: 1).items
  }

  static func issue(_ members: String) -> String {
    """
    [{"number": 1, "title": "Make it so", "body": "At length", "comments": 2, "labels": [],
      "user": {"login": "ada"}, "created_at": "2026-01-31T12:00:00Z", \(members)}]
    """
  }

  // MARK: Repositories

  /// Members of a repository, and what they change in the repository of which only the name is known.
  struct Members: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout Repository) -> Void

    init(_ members: String, _ change: @escaping @Sendable (inout Repository) -> Void = { _ in }) {
      (testDescription, self.change) = (members, change)
    }
  }

  private static let repositories = [
    Members(
      """
      "description": "星空 🌌", "language": "Swift", "id": 44838949, "stargazers_count": 7,
      "owner": {"login": "apple", "avatar_url": "https://example.com/u/1?v=4"}, "watchers_count": 7,
      "forks_count": 3, "subscribers_count": 2, "open_issues_count": 5,
      "topics": ["swift", null, 7, "compiler"], "html_url": "https://github.com/apple/swift",
      "license": {"key": "mit", "name": "MIT License", "spdx_id": "MIT"}
      """
    ) {
      $0 = Repository(
        name: $0.name, globalID: 44_838_949, avatar: URL(string: "https://example.com/u/1?v=4"),
        summary: "星空 🌌", language: "Swift", stars: 7, forks: 3, watchers: 2, openIssues: 5,
        topics: ["swift", "compiler"], licence: "MIT",
        link: URL(string: "https://github.com/apple/swift"))
    },
    Members(#""license": {"spdx_id": "NOASSERTION", "name": "Other"}"#) { $0.licence = "Other" },
    Members(#""license": {"spdx_id": null, "name": "Public Domain"}"#) {
      $0.licence = "Public Domain"
    },
    // An unknown number is not 0.
    Members(#""description": null, "language": null, "owner": null, "license": null"#),
    Members(#""topics": [], "stargazers_count": null, "license": {}, "html_url": """#),
    Members(#""topics": [null], "license": "MIT", "owner": "ada", "description": 5"#),
    Members(#""topics": "swift", "license": {"name": 1, "spdx_id": {}}, "html_url": []"#),
    Members(#""owner": {"avatar_url": 7}, "stargazers_count": "5", "forks_count": 1e30"#),
    Members(#""subscribers_count": 2.5, "stargazers_count": -1, "language": false"#),
    Members(#""forks_count": -2, "open_issues_count": -3"#),
  ]

  @Test(arguments: repositories)
  func `A repository carries what GitHub knows, and odd members are unknown`(members: Members)
    async throws
  {
    let json = #"{"full_name": "apple/Swift", \#(members.testDescription)}"#
    stub.stub(.get, "/repos/apple/swift", with: .json(json))
    var expected = Repository(name: try #require(RepositoryName("apple/Swift")))
    members.change(&expected)
    let found = try await host.repository(named: name)
    #expect(found == expected && found?.name.description == "apple/Swift")
  }

  @Test func `renamed repository is followed to its present name`() async throws {
    let place = "https://api.example.com/repositories/44838949"
    stub.stub(
      .get, "/repos/apple/swift", with: .status(.movedPermanently, [.location: place]))
    stub.stub(.get, "/repositories/44838949", with: .json(#"{"full_name": "swiftlang/swift"}"#))
    #expect(try await host.repository(named: name)?.name.description == "swiftlang/swift")
    #expect(stub.requests.map(\.head.path) == ["/repos/apple/swift", "/repositories/44838949"])
  }

  @Test(arguments: [
    "{}", #"{"full_name": null}"#, #"{"full_name": "swift"}"#, #"{"full_name": ""}"#, "[]", "null",
    "<!doctype html><title>Sign in</title>", #"{"full_name": "apple/sw"#, "",
  ])
  func `unreadable repository is an error and not missing`(body: String) async throws {
    stub.stub(GitHub.repository(name), with: .json(body))
    let error = try await #require(throws: Client.Error.self) {
      try await host.repository(named: name)
    }
    #expect(error.decodingFailure != nil)
    await #expect(throws: Client.Error.self) { try await TrackIssues(host: host)(name) }
  }

  @Test func `unknown repository is none`() async throws {
    stub.stub(
      GitHub.repository(name), with: .json(#"{"message": "Not Found"}"#, status: .notFound))
    #expect(try await host.repository(named: name) == nil)
  }

  @Test(arguments: [401, 403, 429, 451, 500, 503])
  func `every other status is passed on`(code: Int) async throws {
    stub.stub(.get, "/repos/**", with: .status(HTTPResponse.Status(code: code)))
    let error = try await #require(throws: Client.Error.self) {
      try await host.repository(named: name)
    }
    #expect(error.status?.code == code)
    let other = try await #require(throws: Client.Error.self) {
      try await host.openIssues(of: repository, page: 1)
    }
    #expect(other.status?.code == code)
  }

  @Test func `lost connection is passed on`() async throws {
    struct Lost: Error {}
    stub.stub(GitHub.repository(name), with: .failure(Lost()))
    let error = try await #require(throws: Client.Error.self) {
      try await host.repository(named: name)
    }
    #expect(error.transportFailure != nil)
  }

  // MARK: Issues

  @Test func `open issues are asked for once and by the hundred`() async throws {
    _ = try await list("[]")
    #expect(
      stub.requests.map(\.head.path) == [
        "/repos/apple/swift/issues?state=open&per_page=100&page=1"
      ])
  }

  @Test func `issue carries all that is shown`() async throws {
    let issues = try await list(
      """
      [{"id": 3100000000, "number": 12, "title": "星空 🌌", "body": "At\\nlength", "comments": 3,
        "labels": [{"name": "good first issue", "color": "7057FF", "id": 1}],
        "user": {"login": "ada"}, "created_at": "2026-01-31T12:00:00Z", "state": "open"}]
      """)
    #expect(
      issues == [
        Domain.Issue(
          repository: name, number: 12, globalID: 3_100_000_000, title: "星空 🌌",
          body: "At\nlength",
          labels: [.init(name: "good first issue", color: "7057ff")], author: "ada",
          createdAt: Date(timeIntervalSince1970: 1_769_860_800), comments: 3)
      ])
  }

  @Test(arguments: [
    (#"{"url": "https://api.example.com/1"}"#, true), ("{}", true), ("null", false),
    ("false", false), ("0", false), ("\"\"", false), ("[]", false),
  ])
  func `pull requests are left out`(value: String, isPull: Bool) async throws {
    let json = Self.issue(#""pull_request": \#(value)"#)
    #expect(try await list(json).map(\.number) == (isPull ? [] : [1]))
  }

  @Test(arguments: [
    #""comments": "2", "labels": "bug", "user": "ada", "body": 5"#,
    #""comments": 1e30, "labels": [null, 7, []], "user": {"login": 7}, "body": {}"#,
    #""comments": -5, "labels": {}, "user": [], "body": false"#,
    #""comments": null, "labels": null, "user": null, "body": null"#, #""user": {}"#,
    #""user": {"login": null}"#, #""other": 1"#,
  ])
  func `missing or odd optional members lose no issue`(members: String) async throws {
    let issue = """
      [{"number": 1, "title": "Make it so", "created_at": "2026-01-31T12:00:00Z", \(members)}]
      """
    let issues = try await list(issue)
    #expect(issues.map(\.title) == ["Make it so"])
    #expect(issues.map(\.comments) == [nil], "which is not none")
    #expect(issues.map(\.labels) == [[]])
    #expect(issues.map(\.author) == ["ghost"])
    #expect(issues.map(\.body) == [""])
  }

  @Test(arguments: [
    #"["", " ", {"name": "\n"}, {"name": "bug", "color": 7}, 7]"#,
    #"["bug", {"name": null}, null, {}]"#, #"[{"name": "bug", "color": null}]"#,
  ])
  func `label may be a name only or have none`(labels: String) async throws {
    let json = Self.issue(#""x": 1"#).replacing(#""labels": []"#, with: #""labels": \#(labels)"#)
    #expect(try await list(json).first?.labels == [.init(name: "bug", color: "888888")])
  }

  @Test func `first issue of a number is kept`() async throws {
    let issue = Self.issue(#""x": 1"#).dropFirst().dropLast()
    let later = issue.replacing("Make it so", with: "Once more")
    let other = later.replacing(#""number": 1,"#, with: #""number": 2,"#)
    let issues = try await list("[\(issue), \(later), \(other)]")
    #expect(issues.map(\.number) == [2, 1])
    #expect(issues.map(\.title) == ["Once more", "Make it so"])
  }

  @Test(
    arguments: [
      ("next", "3", 3), ("prev", "3", nil), ("next", "1", nil), ("next", "2", nil),
      ("next", "x", nil), ("next", "", nil), ("next", "-1", nil),
    ] as [(String, String, Int?)])
  func `next page is a later one that GitHub names`(relation: String, page: String, next: Int?)
    async throws
  {
    let link = "<https://api.example.com/x?page=\(page)>; rel=\"\(relation)\""
    let field = try #require(HTTPField.Name("Link"))
    stub.stub(
      GitHub.issues(of: name, page: 2),
      with: .sample(Sample(headerFields: [field: link], body: Data("[]".utf8))))
    #expect(try await host.openIssues(of: repository, page: 2).nextPage == next)
  }

  @Test func `repository whose issues are switched off has none`() async throws {
    stub.stub(
      GitHub.issues(of: name),
      with: .json(#"{"message": "Issues are disabled for this repo"}"#, status: .gone))
    #expect(try await host.openIssues(of: repository, page: 1) == Listing([]))
  }

  @Test func `unreadable issue is left out and reported`() async throws {
    let good = Self.issue(#""x": 1"#).dropFirst().dropLast()
    let bad = good.replacing(#""title": "Make it so""#, with: #""title": null"#)
    stub.stub(GitHub.issues(of: name), with: .json("[\(bad), 7, \(good)]"))
    let listing = try await host.openIssues(of: repository, page: 1)
    #expect(listing.items.map(\.number) == [1])
    #expect(listing.damaged.map(\.index) == [0, 1])
    #expect(listing.damaged.first?.reason.hasPrefix("[0].title: ") == true)
  }

  @Test func `only unreadable issues are refused by endpoint and coding path`() async throws {
    let json = Self.issue(#""x": 1"#).replacing(#""number": 1,"#, with: #""number": "1","#)
    let error = try await #require(throws: Client.Error.self) { try await list(json) }
    let failure = try #require(error.decodingFailure)
    #expect(failure.codingPath == "[0].number")
    #expect("\(failure)".contains("GET https://api.example.com/repos/apple/swift/issues?"))
  }
}
