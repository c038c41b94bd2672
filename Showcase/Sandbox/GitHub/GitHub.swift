import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// A simulation of api.github.com: repositories, their issues and a search.
///
/// Users can sign in, open, change and close issues, comment on them, and star repositories.
final class GitHub: Site {
  private static let routes: [Route<GitHub>] = [
    Route("/", GitHub.root),
    Route("/login/oauth/access_token", method: .post, GitHub.signIn),
    Route("/applications/:client/grant", method: .delete, GitHub.revoke),
    Route("/search/repositories", GitHub.search),
    Route("/repos/:owner/:name", GitHub.repository),
    Route("/repos/:owner/:name/issues", GitHub.issues),
    Route("/repos/:owner/:name/issues", method: .post, GitHub.openIssue),
    Route("/repos/:owner/:name/issues/:number", GitHub.issue),
    Route("/repos/:owner/:name/issues/:number", method: .patch, GitHub.changeIssue),
    Route("/repos/:owner/:name/issues/:number/comments", GitHub.comments),
    Route("/repos/:owner/:name/issues/:number/comments", method: .post, GitHub.comment),
    Route("/repos/:owner/:name/sandbox/opened-issues", GitHub.openedIssues),
    Route("/sandbox/opened-issues", GitHub.allOpenedIssues),
    Route("/user/starred", GitHub.starredRepositories),
    Route("/user/starred/:owner/:name", GitHub.isStarred),
    Route("/user/starred/:owner/:name", method: .put, GitHub.star),
    Route("/user/starred/:owner/:name", method: .delete, GitHub.unstar),
    // The web pages that responses link to.
    Route("/:owner/:name", GitHub.repositoryPage),
    Route("/:owner/:name/issues/:number", GitHub.issuePage),
    Route("/:owner/:name/pull/:number", GitHub.issuePage),
  ]

  /// The templates of documents, with `<name>` placeholders.
  struct Templates: Decodable, Sendable {
    let root, account, repository, issue, pullRequest, label, license: JSON
  }

  static let templates = decodeResource(
    PackageResources.github_responses_json, as: Templates.self)

  /// The reference date for the ages of all data.
  let now: Date
  /// The issues opened while their repositories are watched.
  let opened: OpenedIssues
  /// The issues opened or changed by users.
  let written = Mutex(WrittenIssues())
  /// The repositories starred by each user, by login; those who have not signed in share the stars of the empty one.
  let starred = Mutex<[String: StarredRepositories]>([:])
  /// The newest revoked sign-ins.
  let revoked = Mutex<[String]>([])
  private static let maximumLimiters = 4_000
  private let limiters = Mutex<[String: RateLimiter]>([:])
  private let generated = Mutex<[Int: [Issue]]>([:])

  init(now: Date, clock: any Clock<Duration>) {
    self.now = now
    opened = OpenedIssues(clock: clock)
  }

  func response(to request: SiteRequest) -> Response {
    guard request.headers[.userAgent]?.isEmpty == false else {
      // GitHub's firewall sends this response, not its API.
      return .text(
        "Request forbidden. Please send a User-Agent header that names your app.",
        status: .forbidden)
    }
    guard request.request.uri.string.utf8.count <= 8_192 else {
      return Self.error(.uriTooLong, "URI Too Long")
    }
    let resource = request.path == "/search/repositories" ? "search" : "core"
    let usage = limiters.withLock {
      // Most limiters belong to visitors who have left.
      if $0.count > Self.maximumLimiters { $0.removeAll() }
      return $0[resource + (request.visitor ?? ""), default: RateLimiter()]
        .count(request, of: resource)
    }
    let response: Response
    if let usage, usage.isOver {
      response = Self.error(
        .forbidden,
        "API rate limit exceeded for 127.0.0.1. (But here's the good news: it starts again by "
          + "itself, and a request with a token may send far more requests.)",
        "/rest/using-the-rest-api/rate-limits")
    } else {
      var request = request
      do {
        request.user = try user(of: request)
        response = self.response(to: request, Self.routes) ?? Self.error(.notFound, "Not Found")
      } catch {
        response = error
      }
    }
    return response.with(["X-GitHub-Media-Type": "github.v3; format=json"]).with(
      usage?.fields ?? [:])
  }

  /// Returns a repository's issues, newest first; they are generated at the first call.
  func issues(of repository: Repository) -> [Issue] {
    let issues: [Issue] =
      written.withLock { $0[repository] } + newestOpened(in: repository)
      + generated.withLock { generated in
        if let issues = generated[repository.id] { return issues }
        let issues = Issue.generated(in: repository, before: now)
        generated[repository.id] = issues
        return issues
      }
    return written.withLock { $0.present(issues, of: repository) }
  }

  /// Creates an error in GitHub's format: a message, and a link to the documentation.
  static func error(
    _ status: HTTPResponse.Status, _ message: String, _ documentation: String = "/rest",
    error: [String: JSON]? = nil, url: String? = nil
  ) -> Response {
    var members: [String: JSON] = [
      "message": .string(message), "status": .string(String(status.code)),
      "documentation_url": .string("https://docs.github.com\(documentation)"),
    ]
    members["errors"] = error.map { .array([.object($0)]) }
    members["url"] = url.map { .string($0) }
    return .json(.object(members), status: status)
  }
}
