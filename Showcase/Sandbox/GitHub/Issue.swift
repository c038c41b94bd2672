import Foundation

/// An issue or, as GitHub lists them together, a pull request.
struct Issue: Sendable {
  let id: Int
  let number: Int
  let title: String
  let author: Account
  let labels: [Label]
  let assignees: [Account]
  let association: String
  let comments: Int
  let created: Date
  let updated: Date
  let closed: Date?
  let body: String?
  let isPull: Bool
  let isLocked: Bool

  func members(of repository: Repository, home: String) -> [(String, JSON)] {
    let api = "\(home)/repos/\(repository.fullName)"
    let url = "\(api)/issues/\(number)"
    let web = "\(home)/\(repository.fullName)/\(isPull ? "pull" : "issues")/\(number)"
    let reason: JSON =
      closed == nil ? .null : .string(number % 5 == 0 ? "not_planned" : "completed")
    var members: [(String, JSON)] = [
      ("url", .string(url)),
      ("repository_url", .string(api)),
      ("labels_url", .string("\(url)/labels{/name}")),
      ("comments_url", .string("\(url)/comments")),
      ("events_url", .string("\(url)/events")),
      ("html_url", .string(web)),
      ("id", .int(id)),
      ("node_id", .string("\(isPull ? "PR" : "I")_sandbox\(id)")),
      ("number", .int(number)),
      ("title", .string(title)),
      ("user", author.json(home: home)),
      ("labels", .array(labels.map { $0.json(of: api) })),
      ("state", .string(closed == nil ? "open" : "closed")),
      ("locked", .bool(isLocked)),
      ("assignee", assignees.first?.json(home: home) ?? .null),
      ("assignees", .array(assignees.map { $0.json(home: home) })),
      ("milestone", .null),
      ("comments", .int(comments)),
      ("created_at", .date(created)),
      ("updated_at", .date(updated)),
      ("closed_at", closed.map { .date($0) } ?? .null),
      ("author_association", .string(association)),
      ("active_lock_reason", .null),
    ]
    if isPull {
      let pull = JSON.object([
        ("url", .string("\(api)/pulls/\(number)")),
        ("html_url", .string(web)),
        ("diff_url", .string("\(web).diff")),
        ("patch_url", .string("\(web).patch")),
        ("merged_at", closed.map { .date($0) } ?? .null),
      ])
      members += [("draft", .bool(number % 4 == 0)), ("pull_request", pull)]
    }
    members += [
      ("body", .optional(body)),
      ("timeline_url", .string("\(url)/timeline")),
      ("performed_via_github_app", .null),
      ("state_reason", isPull ? .null : reason),
    ]
    return members
  }
}

/// A label with its colour, six hexadecimal digits.
struct Label: Sendable {
  let name: String
  let color: String
  let description: String?
  var isDefault = false

  func json(of api: String) -> JSON {
    let id = 800_000_000 + Int(Fingerprint(name.utf8).value % 90_000_000)
    let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
    return .object([
      ("id", .int(id)),
      ("node_id", .string("LA_sandbox\(id)")),
      ("url", .string("\(api)/labels/\(path)")),
      ("name", .string(name)),
      ("color", .string(color)),
      ("default", .bool(isDefault)),
      ("description", .optional(description)),
    ])
  }
}
