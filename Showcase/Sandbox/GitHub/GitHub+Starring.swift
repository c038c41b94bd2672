import HTTPTypes
import Hummingbird
import Synchronization

extension GitHub {
  /// The repository that takes no star, as that of an owner who has blocked the user.
  static let blocked = "vapor/vapor"

  /// Lists the repositories with a star, the newest star first, as a search lists repositories.
  func starredRepositories(_ request: SiteRequest) throws(Response) -> Response {
    let repositories = starred.withLock { $0.repositories }
    let paging = Paging(request.query, total: repositories.count)
    let page = repositories[paging.range].map { $0.searchResult(home: request.home, now: now) }
    return .json(.array(page)).with([
      "Link": paging.link(to: "\(request.base)/user/starred", request.query),
      // The list is the user's own: no shared cache stores it.
      "Cache-Control": "private, max-age=60", "Vary": "Accept",
    ])
  }

  /// Responds with 204 if a repository has a star, and else with 404.
  func isStarred(_ request: SiteRequest) throws(Response) -> Response {
    let documentation = Self.starring("check-if-a-repository-is-starred-by-the-authenticated-user")
    let repository = try found(request, documentation, below: "/user/starred")
    guard starred.withLock({ $0.contains(repository) }) else {
      throw Self.error(.notFound, "Not Found", documentation)
    }
    return Self.noContent
  }

  /// Marks a repository with a star.
  func star(_ request: SiteRequest) throws(Response) -> Response {
    let documentation = Self.starring("star-a-repository-for-the-authenticated-user")
    let repository = try found(request, documentation, below: "/user/starred")
    guard repository.fullName != Self.blocked else {
      throw Self.error(.forbidden, "Repository access blocked", documentation)
    }
    starred.withLock { $0.add(repository) }
    return Self.noContent
  }

  /// Removes a repository's star, if it has one.
  func unstar(_ request: SiteRequest) throws(Response) -> Response {
    let documentation = Self.starring("unstar-a-repository-for-the-authenticated-user")
    let repository = try found(request, documentation, below: "/user/starred")
    starred.withLock { $0.remove(repository) }
    return Self.noContent
  }

  private static func starring(_ section: String) -> String {
    "/rest/activity/starring#\(section)"
  }

  /// A 204, which has no length (RFC 9110, 8.6).
  private static var noContent: Response {
    Response(status: .noContent).with(["Content-Length": nil])
  }
}
