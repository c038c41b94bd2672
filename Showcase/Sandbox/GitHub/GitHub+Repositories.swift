import Foundation
import HTTPTypes
import Hummingbird

extension GitHub {
  func root(_ request: SiteRequest) throws(ErrorResponse) -> Response {
    .json(Self.templates.root.filled(["base": .string(request.base)]))
  }

  func repository(_ request: SiteRequest) throws(ErrorResponse) -> Response {
    let repository = try found(request, "/rest/repos/repos#get-a-repository")
    return cacheable(.json(repository.details(home: request.home, now: now)), request)
  }

  func repositoryPage(_ request: SiteRequest) throws(ErrorResponse) -> Response {
    let repository = try found(request)
    return .page(repository.fullName, repository.description ?? "No description.")
  }

  /// Finds the repository that a path names; the old name of a renamed one redirects.
  func found(
    _ request: SiteRequest, _ documentation: String = "/rest"
  ) throws(ErrorResponse) -> Repository {
    let parameters = request.parameters
    if let id = parameters["id"], let repository = Repository.withID(Int(id) ?? 0) {
      return repository
    }
    let name = "\(parameters["owner", default: ""])/\(parameters["name", default: ""])"
    if let repository = Repository.named(name) { return repository }
    guard let id = Repository.renamed(from: name)?.id else {
      throw ErrorResponse(response: Self.error(.notFound, "Not Found", documentation))
    }
    let rest = request.segments?.dropFirst(3).map { "/\($0)" }.joined() ?? ""
    let query = request.query.text
    let url = "\(request.base)/repositories/\(id)\(rest)" + (query.isEmpty ? "" : "?\(query)")
    let response = Self.error(
      .movedPermanently, "Moved Permanently",
      "/rest/using-the-rest-api/best-practices#follow-redirects", url: url)
    throw ErrorResponse(response: response.with([.location: url]))
  }

  /// Adds GitHub's rules for caches; a response to a token is not for shared caches.
  func cacheable(_ response: Response, _ request: SiteRequest) -> Response {
    let isPrivate = request.headers[.authorization] != nil
    return response.with([
      .cacheControl: "\(isPrivate ? "private" : "public"), max-age=60, s-maxage=60",
      .vary: isPrivate ? "Accept, Authorization, Cookie" : "Accept",
    ])
  }

  /// Searches the repositories by words and qualifiers, those with the most stars first.
  func search(_ request: SiteRequest) throws(ErrorResponse) -> Response {
    func refusal(_ message: String, _ error: [String: JSON]? = nil) -> ErrorResponse {
      ErrorResponse(
        response: Self.error(
          .unprocessableContent, message, "/v3/search/", errors: error.map { [$0] }))
    }
    let query = request.query
    guard let text = query["q"], text.contains(where: { !$0.isWhitespace }) else {
      throw refusal(
        "Validation Failed", ["resource": "Search", "field": "q", "code": "missing"])
    }
    guard text.count <= 256 else {
      throw refusal(
        "Validation Failed",
        [
          "message": "The search is longer than 256 characters.", "resource": "Search",
          "field": "q", "code": "invalid",
        ])
    }
    let found = SearchTerm(text).repositories(sort: query["sort"], order: query["order"])
    // However many were counted, GitHub gives out a thousand. A last page that this cuts short is
    // still a page; only what starts behind it is refused.
    let paging = Paging(query, total: min(found.count, 1_000))
    guard paging.page - 1 < (1_000 + paging.perPage - 1) / paging.perPage else {
      throw refusal("Only the first 1000 search results are available")
    }
    var items = found[paging.range]
    if request.options.incompleteResults { items = items.prefix((items.count + 1) / 2) }
    var members: [String: JSON] = [
      "total_count": .int(found.count),
      "items": .array(items.map { $0.searchResult(home: request.home, now: now) }),
    ]
    // The member is optional: it is missing where nothing but changed repositories is found.
    if found.isEmpty || found.contains(where: { $0.change == nil }) {
      members["incomplete_results"] = .bool(request.options.incompleteResults)
    }
    return .json(.object(members)).with([
      .link: paging.link(to: "\(request.base)/search/repositories", query),
      .cacheControl: "no-cache", .vary: "Accept",
    ])
  }
}

extension HTTPField.Name {
  static let link = Self("Link")!
}
