import HTTPTypes
import Hummingbird

extension GitHub {
  /// Lists a repository's issues; a choice that does not exist is a 422 that names its field.
  func issues(_ request: SiteRequest) throws(Response) -> Response {
    let repository = try found(request, "/rest/issues/issues#list-repository-issues")
    let state = try choice("state", of: ["open", "closed", "all"], request)
    let sort = try choice("sort", of: ["created", "updated", "comments"], request)
    let isDescending = try choice("direction", of: ["desc", "asc"], request) == "desc"
    var issues = issues(of: repository).filter {
      state == "all" || (state == "open") == ($0.closed == nil)
    }
    func order<Key: Comparable>(by key: (Issue) -> Key) {
      // Stable, so that the newest stays first among equal ones.
      issues.sort { isDescending ? key($0) > key($1) : key($0) < key($1) }
    }
    switch sort {
    case "updated": order { $0.updated }
    case "comments": order { $0.comments }
    default: if !isDescending { issues.reverse() }
    }
    let paging = Paging(request.query, total: issues.count)
    let page = issues[paging.range].map { $0.json(of: repository, home: request.home) }
    // GitHub's links have the number, which outlives a renaming.
    let link = paging.link(
      to: "\(request.base)/repositories/\(repository.id)/issues", request.query)
    return cacheable(.json(.array(page)).with(["Link": link]), request)
  }

  func issue(_ request: SiteRequest) throws(Response) -> Response {
    let (issue, repository) = try foundIssue(request)
    return cacheable(.json(issue.json(of: repository, home: request.home)), request)
      .changed(at: issue.updated)
  }

  func issuePage(_ request: SiteRequest) throws(Response) -> Response {
    let (issue, repository) = try foundIssue(request)
    return .page(
      "\(issue.title) · #\(issue.number) · \(repository.fullName)",
      issue.body ?? "No description.")
  }

  private func foundIssue(
    _ request: SiteRequest
  ) throws(Response) -> (Issue, Repository) {
    let documentation = "/rest/issues/issues#get-an-issue"
    let repository = try found(request, documentation)
    let number = request.parameters["number"]
    guard let issue = issues(of: repository).first(where: { String($0.number) == number }) else {
      throw Self.error(.notFound, "Not Found", documentation)
    }
    return (issue, repository)
  }

  /// Reads a choice from the query; the first one where there is none.
  private func choice(
    _ field: String, of choices: [String], _ request: SiteRequest
  ) throws(Response) -> String {
    let choice = request.query[field] ?? choices[0]
    guard choices.contains(choice) else {
      throw Self.error(
        .unprocessableContent, "Validation Failed", "/rest/issues/issues#list-repository-issues",
        error: ["resource": "Issue", "code": "invalid", "field": .string(field)])
    }
    return choice
  }
}
