public import Curlew
public import Domain
import HTTPTypes

/// The requests to GitHub's REST API.
public enum GitHub {
  /// Returns a request for a repository by name; GitHub redirects from a former to the current
  /// name.
  public static func repository(_ name: RepositoryName) -> Request<RepositoryPayload> {
    .get("/repos/\(name.owner)/\(name.name)")
  }

  /// Returns a request for a page of the repositories mainly written in a language, most stars
  /// first.
  public static func repositories(
    language: String, page: Int = 1, perPage: Int = 10
  ) -> Request<FoundRepositories> {
    // Quotes keep a name of several words together; the name itself can't contain quotes.
    let name = language.replacing("\"", with: "")
    let term = name.contains(where: \.isWhitespace) ? "language:\"\(name)\"" : "language:\(name)"
    return .get(
      "/search/repositories",
      query: ["q": term, "sort": "stars", "order": "desc", "per_page": perPage, "page": page]
    )
  }

  /// Returns a request for a page of a repository's open issues, newest first.
  public static func issues(
    of name: RepositoryName, page: Int = 1, perPage: Int = 100
  ) -> Request<LossyList<IssuePayload>> {
    .get(
      "/repos/\(name.owner)/\(name.name)/issues",
      query: ["state": "open", "per_page": perPage, "page": page]
    )
  }

  /// Returns a request for an issue by its number, open or closed.
  public static func issue(_ number: Int, of name: RepositoryName) -> Request<IssuePayload> {
    .get("/repos/\(name.owner)/\(name.name)/issues/\(number)")
  }

  /// Returns a request that opens an issue.
  ///
  /// - Parameter key: The idempotency key, by which a server detects a retry
  ///   (draft-ietf-httpapi-idempotency-key-header). The sandbox supports it.
  public static func openIssue(
    _ issue: NewIssuePayload, in name: RepositoryName, key: String
  ) -> Request<IssuePayload> {
    .post(
      "/repos/\(name.owner)/\(name.name)/issues", headerFields: [.idempotencyKey: key],
      body: .json(issue)
    )
    .errorBody(ValidationPayload.self)
    .retryable()
  }

  /// Returns a request that closes or reopens an issue; it is idempotent.
  public static func change(
    issue number: Int, of name: RepositoryName, isOpen: Bool
  ) -> Request<IssuePayload> {
    .patch(
      "/repos/\(name.owner)/\(name.name)/issues/\(number)",
      body: .json(IssueStatePayload(isOpen: isOpen))
    )
    .retryable()
  }

  /// Returns a request that changes an issue's texts, unless its version is another one (RFC 9110, 13.1.1).
  ///
  /// GitHub ignores the condition; the sandbox obeys it.
  public static func edit(
    issue number: Int, of name: RepositoryName, title: String, body: String, version: String?
  ) -> Request<IssuePayload> {
    .patch(
      "/repos/\(name.owner)/\(name.name)/issues/\(number)",
      headerFields: version.map { [.ifMatch: $0] } ?? [:],
      body: .json(["title": title, "body": body])
    )
    .retryable()
  }

  /// Returns a request for the oldest hundred comments on an issue.
  public static func comments(
    on number: Int, of name: RepositoryName
  ) -> Request<LossyList<CommentPayload>> {
    .get(
      "/repos/\(name.owner)/\(name.name)/issues/\(number)/comments", query: ["per_page": 100])
  }

  /// Returns a request that adds a comment to an issue; each repetition adds another one.
  public static func comment(
    _ text: String, on number: Int, of name: RepositoryName
  ) -> Request<CommentPayload> {
    .post(
      "/repos/\(name.owner)/\(name.name)/issues/\(number)/comments", body: .json(["body": text]))
  }

  /// Returns a request for a page of the user's starred repositories, most recently starred first.
  public static func starred(
    page: Int = 1, perPage: Int = 30
  ) -> Request<LossyList<RepositoryPayload>> {
    .get("/user/starred", query: ["per_page": perPage, "page": page])
  }

  /// Returns a request that stars a repository, or removes the star.
  public static func star(_ name: RepositoryName, _ isOn: Bool) -> Request<Void> {
    let path: Path = "/user/starred/\(name.owner)/\(name.name)"
    return isOn ? .put(path) : .delete(path)
  }

  /// Returns a request for the server-sent events about a repository's newly opened issues; only
  /// the sandbox supports it, not GitHub.
  public static func openedIssues(of name: RepositoryName) -> Request<IssuePayload> {
    .get("/repos/\(name.owner)/\(name.name)/sandbox/opened-issues")
  }

  /// The request for the newly opened issues of all repositories as JSON Lines; only the sandbox
  /// supports it, not GitHub.
  public static let openedIssues = Request<IssuePayload>.get("/sandbox/opened-issues")

  /// Returns the name of a request's rate limit: GitHub has a separate limit for searches.
  public static func rateLimit(of request: OutgoingRequest) -> String {
    let (host, path) = (request.head.authority ?? "", request.head.path ?? "")
    return path.hasPrefix("/search/") ? "\(host) search" : host
  }
}

extension HTTPField.Name {
  /// The field of draft-ietf-httpapi-idempotency-key-header.
  fileprivate static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
