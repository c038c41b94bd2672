import HTTPTypes
import Hummingbird
import Synchronization

extension GitHub {
  /// The repository that can't be starred, as if its owner had blocked the user.
  static let blocked = "vapor/vapor"

  /// Lists the starred repositories, most recently starred first, in the format of search results.
  func starredRepositories(_ request: SiteRequest) throws(Response) -> Response {
    let repositories = starred.withLock { $0[request.login, default: .init()].repositories }
    let paging = Paging(request.query, total: repositories.count)
    let page = repositories[paging.range].map { $0.searchResult(home: request.home, now: now) }
    return .json(.array(page)).with([
      "Link": paging.link(to: "\(request.base)/user/starred", request.query),
      // The list belongs to the user, so shared caches must not store it.
      "Cache-Control": "private, max-age=60", "Vary": "Accept",
    ])
  }

  /// Responds with 204 if the repository is starred, and with 404 otherwise.
  func isStarred(_ request: SiteRequest) throws(Response) -> Response {
    let documentation = Self.starring("check-if-a-repository-is-starred-by-the-authenticated-user")
    let repository = try found(request, documentation, below: "/user/starred")
    guard starred.withLock({ $0[request.login]?.contains(repository) ?? false }) else {
      throw Self.error(.notFound, "Not Found", documentation)
    }
    return Self.noContent
  }

  /// Stars a repository.
  func star(_ request: SiteRequest) throws(Response) -> Response {
    let documentation = Self.starring("star-a-repository-for-the-authenticated-user")
    let repository = try found(request, documentation, below: "/user/starred")
    guard repository.fullName != Self.blocked else {
      throw Self.error(.forbidden, "Repository access blocked", documentation)
    }
    starred.withLock { $0[request.login, default: .init()].add(repository) }
    return Self.noContent
  }

  /// Removes the star from a repository; does nothing if it has no star.
  func unstar(_ request: SiteRequest) throws(Response) -> Response {
    let documentation = Self.starring("unstar-a-repository-for-the-authenticated-user")
    let repository = try found(request, documentation, below: "/user/starred")
    starred.withLock { $0[request.login]?.remove(repository) }
    return Self.noContent
  }

  private static func starring(_ section: String) -> String {
    "/rest/activity/starring#\(section)"
  }

  /// A 204 response, which has no `Content-Length` (RFC 9110, 8.6).
  private static var noContent: Response {
    Response(status: .noContent).with(["Content-Length": nil])
  }
}

extension SiteRequest {
  /// The user's name; empty without a token.
  fileprivate var login: String { user?.account.login ?? "" }
}
