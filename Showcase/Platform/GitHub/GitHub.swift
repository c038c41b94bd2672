public import Curlew
public import Domain
import HTTPTypes

/// The operations of GitHub's REST API that the showcase uses.
public enum GitHub {
  /// A repository by its name; GitHub redirects from a former name to the present one.
  public static func repository(_ name: RepositoryName) -> Request<RepositoryPayload> {
    .get("/repos/\(name.owner)/\(name.name)")
  }

  /// A page of the repositories that are mostly written in a language, those with the most stars
  /// first.
  public static func repositories(
    language: String, page: Int = 1, perPage: Int = 10
  ) -> Request<FoundRepositories> {
    // In quotes, a name of several words is one; it can hold no quotes itself.
    let name = language.replacing("\"", with: "")
    let term = name.contains(where: \.isWhitespace) ? "language:\"\(name)\"" : "language:\(name)"
    return .get(
      "/search/repositories",
      query: ["q": term, "sort": "stars", "order": "desc", "per_page": perPage, "page": page]
    )
  }

  /// A user or an organisation by name.
  public static func user(_ name: String) -> Request<UserPayload> { .get("/users/\(name)") }

  /// A page of a user's public repositories, those that were pushed to last first.
  public static func repositories(
    ofUser name: String, page: Int = 1, perPage: Int = 30
  ) -> Request<LossyList<RepositoryPayload>> {
    .get(
      "/users/\(name)/repos", query: ["sort": "pushed", "per_page": perPage, "page": page])
  }

  /// A page of a repository's open issues, the newest first.
  public static func issues(
    of name: RepositoryName, page: Int = 1, perPage: Int = 100
  ) -> Request<LossyList<IssuePayload>> {
    .get(
      "/repos/\(name.owner)/\(name.name)/issues",
      query: ["state": "open", "per_page": perPage, "page": page]
    )
  }

  /// An issue by its number, open or closed.
  public static func issue(_ number: Int, of name: RepositoryName) -> Request<IssuePayload> {
    .get("/repos/\(name.owner)/\(name.name)/issues/\(number)")
  }

  /// Opens an issue.
  ///
  /// - Parameter key: The idempotency key, by which the server recognises a repetition
  ///   (draft-ietf-httpapi-idempotency-key-header): the sandbox does.
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

  /// Closes or reopens an issue; repeating it changes nothing more.
  public static func change(
    issue number: Int, of name: RepositoryName, isOpen: Bool
  ) -> Request<IssuePayload> {
    .patch(
      "/repos/\(name.owner)/\(name.name)/issues/\(number)",
      body: .json(IssueStatePayload(isOpen: isOpen))
    )
    .retryable()
  }

  /// A page of the repositories that the user has marked with a star, the newest star first.
  public static func starred(
    page: Int = 1, perPage: Int = 30
  ) -> Request<LossyList<RepositoryPayload>> {
    .get("/user/starred", query: ["per_page": perPage, "page": page])
  }

  /// Marks a repository with a star, or removes the star.
  public static func star(_ name: RepositoryName, _ isOn: Bool) -> Request<Void> {
    let path: Path = "/user/starred/\(name.owner)/\(name.name)"
    return isOn ? .put(path) : .delete(path)
  }

  /// The issues of a repository as they are opened, as server-sent events: the sandbox's own, which
  /// GitHub does not have.
  public static func openedIssues(of name: RepositoryName) -> Request<IssuePayload> {
    .get("/repos/\(name.owner)/\(name.name)/sandbox/opened-issues")
  }

  /// Names the rate limit that counts a request: GitHub has one for searches and one for the rest.
  public static func rateLimit(of request: OutgoingRequest) -> String {
    let (host, path) = (request.head.authority ?? "", request.head.path ?? "")
    return path.hasPrefix("/search/") ? "\(host) search" : host
  }
}

extension HTTPField.Name {
  /// The key of draft-ietf-httpapi-idempotency-key-header.
  fileprivate static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
