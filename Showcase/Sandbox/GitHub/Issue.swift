import Foundation

/// An issue or a pull request, which GitHub lists together with issues.
struct Issue: Sendable {
  let number: Int
  var title: String
  let author: Account
  var labels: [Label] = []
  var assignees: [Account] = []
  var association = "NONE"
  var comments = 0
  let created: Date
  /// The date of the last change; `nil` if unchanged.
  var updated: Date?
  var closed: Date?
  /// The reason for the last change of the state by a user.
  var reason: String?
  var body: String?
  var isPull = false
  var isLocked = false
  var change: Change?

  func json(of repository: Repository, home: String) -> JSON {
    let templates = GitHub.templates
    let assignees = assignees.map { $0.json(home: home) }
    let values: [String: JSON] = [
      "home": .string(home), "full_name": .string(repository.fullName),
      "id": .int(repository.id * 4 + number),
      "number": .int(number), "page": isPull ? "pull" : "issues", "title": .string(title),
      "user": author.json(home: home),
      "labels": .array(labels.map { $0.json(of: repository, home: home) }),
      "state": closed == nil ? "open" : "closed", "locked": .bool(isLocked),
      "assignee": assignees.first ?? .null, "assignees": .array(assignees),
      "comments": .int(comments), "created": .string(created.formatted(.iso8601)),
      "updated": .string((updated ?? created).formatted(.iso8601)),
      "closed": JSON(closed?.formatted(.iso8601)), "association": .string(association),
      "body": JSON(body), "draft": .bool(number % 4 == 0),
      "reason": stateReason,
    ]
    var json = templates.issue.filled(values)
    if isPull, case .object(let members) = templates.pullRequest.filled(values) {
      json = json.changed(by: Change(set: members))
    }
    return json.changed(by: change)
  }

  private var stateReason: JSON {
    if let reason { return .string(reason) }
    guard closed != nil else { return .null }
    return number % 5 == 0 ? "not_planned" : "completed"
  }
}

/// A label with its colour as six hexadecimal digits.
struct Label: Decodable, Sendable {
  let name: String
  let color: String
  let description: String?
  var `default`: Bool?

  func json(of repository: Repository, home: String) -> JSON {
    let path = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
    return GitHub.templates.label.filled([
      "home": .string(home), "full_name": .string(repository.fullName),
      "id": .int(800_000_000 + Int(stableHash(name.utf8) % 90_000_000)), "path": .string(path),
      "name": .string(name), "color": .string(color), "default": .bool(`default` ?? false),
      "description": JSON(description),
    ])
  }
}
