import CurlewJSON
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

extension GitHub {
  /// Lists an issue's comments, oldest first.
  func comments(_ request: SiteRequest) throws(Response) -> Response {
    let (issue, repository) = try foundIssue(request, Self.documentation("list-issue-comments"))
    let written = written.withLock { $0.comments(on: issue, of: repository) }
    let generated = Comment.generated(
      max(0, issue.comments - written.count), on: issue, of: repository)
    let comments = generated + written
    let paging = Paging(request.query, total: comments.count)
    let path = "/repos/\(repository.fullName)/issues/\(issue.number)/comments"
    return cacheable(
      .json(.array(comments[paging.range].map { $0.json(below: path, home: request.home) }))
    ).with(["Link": paging.link(to: "\(request.base)\(path)", request.query)])
  }

  /// Adds a comment, once more for each request, as GitHub does.
  func comment(_ request: SiteRequest) throws(Response) -> Response {
    let documentation = Self.documentation("create-an-issue-comment")
    let (issue, repository) = try foundIssue(request, documentation)
    guard let members = try? FastJSONDecoder().decode([String: JSON].self, from: request.body)
    else { throw Self.error(.badRequest, "Problems parsing JSON", documentation) }
    guard case .string(let text)? = members["body"], text.contains(where: { !$0.isWhitespace })
    else { throw Self.invalid("body", "missing_field", documentation: documentation) }
    guard text.count <= Self.maximumBodyLength else {
      throw Self.invalid(
        "body", "custom", "body is too long (maximum is \(Self.maximumBodyLength) characters)",
        documentation: documentation)
    }
    let author = request.user?.account ?? Self.author
    let comment = written.withLock {
      $0.comment(text, by: author, on: issue, of: repository, at: request.now)
    }
    let path = "/repos/\(repository.fullName)/issues/\(issue.number)/comments"
    return .json(comment.json(below: path, home: request.home), status: .created)
  }

  private static func documentation(_ section: String) -> String {
    "/rest/issues/comments#\(section)"
  }
}

/// A comment on an issue.
struct Comment: Sendable {
  let id: Int
  let author: Account
  let text: String
  let created: Date

  /// Creates the comment with an index on an issue.
  init(
    _ index: Int, on issue: Issue, of repository: Repository, by author: Account, _ text: String,
    at date: Date
  ) {
    id = (repository.id * 4 + issue.number) * 1_000 + index
    (self.author, self.text, created) = (author, text, date)
  }

  /// Generates the comments on an issue, which are about its repository.
  static func generated(_ count: Int, on issue: Issue, of repository: Repository) -> [Comment] {
    let words = Words.shared
    let subject = words.subjects.first { $0.name == repository.subject } ?? words.subjects[0]
    let time = (issue.updated ?? issue.created).timeIntervalSince(issue.created)
    return (0..<count).map { index in
      let choices = Choices("\(repository.fullName) \(issue.number) comment \(index)")
      return Comment(
        index, on: issue, of: repository, by: choices.pick("author", of: Issue.users),
        choices.filled("<oneLiner>", from: Words.lists(about: subject)),
        at: issue.created.addingTimeInterval((time * Double(index) / Double(count)).rounded()))
    }
  }

  /// Returns the JSON representation, whose URL is below the list's path.
  func json(below path: String, home: String) -> JSON {
    let date = JSON.string(created.formatted(.iso8601))
    return [
      "id": .int(id), "url": .string("\(home)\(path)/\(id)"), "body": .string(text),
      "user": author.json(home: home), "created_at": date, "updated_at": date,
      "author_association": "NONE",
    ]
  }
}
