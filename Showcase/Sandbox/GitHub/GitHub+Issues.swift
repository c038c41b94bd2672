import HTTPTypes
import Hummingbird

extension GitHub {
  /// Lists a repository's issues, newest first; the `state` is `open` (the default), `closed` or
  /// `all`.
  func issues(_ request: SiteRequest) throws(Response) -> Response {
    let repository = try found(request, "/rest/issues/issues#list-repository-issues")
    let state = request.query["state"] ?? "open"
    let issues = issues(of: repository).filter {
      state == "all" || (state == "closed") == ($0.closed != nil)
    }
    let paging = Paging(request.query, total: issues.count)
    let page = issues[paging.range].map { $0.json(of: repository, home: request.home) }
    let link = paging.link(to: "\(request.base)/repos/\(repository.fullName)/issues", request.query)
    return cacheable(.json(.array(page)).with(["Link": link]))
  }

  func issue(_ request: SiteRequest) throws(Response) -> Response {
    let (issue, repository) = try foundIssue(request)
    return cacheable(.json(issue.json(of: repository, home: request.home)))
      .with(["ETag": version(of: issue, repository, request)])
  }

  func issuePage(_ request: SiteRequest) throws(Response) -> Response {
    let (issue, repository) = try foundIssue(request)
    return WebPage(
      kind: issue.isPull ? "Pull request" : "Issue", title: issue.title,
      text: issue.body ?? "No description.", picture: "/avatars/u/\(issue.author.id).svg",
      facts: [
        ("Number", "#\(issue.number)"), ("State", issue.closed == nil ? "Open" : "Closed"),
        ("Opened by", issue.author.login), ("Comments", "\(issue.comments)"),
      ],
      parent: (repository.fullName, "/\(repository.fullName)"),
      data: "/repos/\(repository.fullName)/issues/\(issue.number)"
    ).response
  }

  /// Finds the issue in a path, and its repository.
  func foundIssue(
    _ request: SiteRequest, _ documentation: String = "/rest/issues/issues#get-an-issue"
  ) throws(Response) -> (Issue, Repository) {
    let repository = try found(request, documentation)
    let number = request.parameters["number"]
    guard let issue = issues(of: repository).first(where: { String($0.number) == number }) else {
      throw Self.error(.notFound, "Not Found", documentation)
    }
    return (issue, repository)
  }
}
