import Foundation
import HTTPTypes
import Hummingbird

extension GitHub {
  func root(_ request: SiteRequest) throws(Response) -> Response {
    cacheable(.json(Self.templates.root.filled(["base": .string(request.base)])))
  }

  func repository(_ request: SiteRequest) throws(Response) -> Response {
    let repository = try found(request, "/rest/repos/repos#get-a-repository")
    return cacheable(.json(repository.details(home: request.home, now: now)))
  }

  func repositoryPage(_ request: SiteRequest) throws(Response) -> Response {
    let repository = try found(request)
    return WebPage(
      kind: "Repository", title: repository.fullName,
      text: repository.description ?? "No description.",
      picture: "/avatars/u/\(repository.owner.id).svg",
      facts: [
        ("Stars", repository.stars.formatted(.number.locale(Locale(identifier: "en_US")))),
        ("Open issues", "\(repository.open)"), ("Language", repository.language ?? "–"),
        ("Licence", repository.license ?? "–"),
      ],
      data: "/repos/\(repository.fullName)"
    ).response
  }

  /// Finds the repository in a path; throws a redirect from the former name of a renamed repository
  /// to the current name, below the same root.
  func found(
    _ request: SiteRequest, _ documentation: String = "/rest", below root: String = "/repos"
  ) throws(Response) -> Repository {
    let parameters = request.parameters
    let name = "\(parameters["owner", default: ""])/\(parameters["name", default: ""])"
    if let repository = Repository.named(name) { return repository }
    guard let present = Repository.renamed(from: name)?.fullName else {
      throw Self.error(.notFound, "Not Found", documentation)
    }
    // The path stays percent-encoded, so that it can't inject into the header field.
    let named = root.split(separator: "/").count + 2
    let rest = request.path.split(separator: "/").dropFirst(named).map { "/\($0)" }.joined()
    let query = request.query.text
    let url = "\(request.base)\(root)/\(present)\(rest)" + (query.isEmpty ? "" : "?\(query)")
    let response = Self.error(
      .movedPermanently, "Moved Permanently",
      "/rest/using-the-rest-api/best-practices#follow-redirects", url: url)
    throw response.with(["Location": url])
  }

  /// Adds GitHub's caching header fields.
  func cacheable(_ response: Response) -> Response {
    response.with(["Cache-Control": "public, max-age=60, s-maxage=60", "Vary": "Accept"])
  }

  /// Searches repositories by words and language, most stars first.
  func search(_ request: SiteRequest) throws(Response) -> Response {
    func invalid(_ message: String, _ error: [String: JSON]? = nil) -> Response {
      Self.error(.unprocessableContent, message, "/v3/search/", error: error)
    }
    let query = request.query
    guard let text = query["q"], text.count <= 256, text.contains(where: { !$0.isWhitespace })
    else {
      throw invalid("Validation Failed", ["resource": "Search", "field": "q", "code": "invalid"])
    }
    let found = Repository.found(by: text)
    // GitHub returns at most the first thousand results. A truncated last page is valid; only pages
    // that start after the last result are rejected.
    let paging = Paging(query, total: min(found.count, 1_000))
    guard paging.page - 1 < (1_000 + paging.perPage - 1) / paging.perPage else {
      throw invalid("Only the first 1000 search results are available")
    }
    var items = found[paging.range]
    if request.options.incompleteResults { items = items.prefix((items.count + 1) / 2) }
    var members: [String: JSON] = [
      "total_count": .int(found.count),
      "items": .array(items.map { $0.searchResult(home: request.home, now: now) }),
    ]
    // The member is optional: it is missing if all results are specially changed repositories.
    if found.isEmpty || found.contains(where: { $0.change == nil }) {
      members["incomplete_results"] = .bool(request.options.incompleteResults)
    }
    // GitHub's search responses have no validator: each response is sent in full, and counts
    // towards the limit.
    return .json(.object(members)).with([
      "Link": paging.link(to: "\(request.base)/search/repositories", query),
      "Cache-Control": "no-cache", "Vary": "Accept-Encoding", "ETag": nil,
    ])
  }
}
