/// A page of issues in GitHub's format: all members in GitHub's order, compact.
package enum IssuePage {
  /// The page for serving and decoding: 100 issues, 583 KB.
  package static let text = page().json()

  /// The same page with each member on a separate line.
  package static let prettyText = page().json(.init(isPretty: true))

  /// Returns a page with another number of issues, such as 3,600 for 20 MB.
  package static func text(count: Int) -> String { page(count).json() }

  /// The page with an error in its last issue, whose number is a string.
  package static let textWithMismatch = page(lastNumber: "ninety-nine").json()

  private static let api = "https://api.github.com"
  private static let repository = api + "/repos/apple/swift"

  private static func page(_ count: Int = 100, lastNumber: JSONValue? = nil) -> JSONValue {
    var numbers = SeededNumbers(seed: 140)
    return .list(
      (0..<count).map { index in
        let number = 78_000 - index
        let shown = index == count - 1 ? lastNumber ?? .int(number) : .int(number)
        return issue(number, shown, &numbers)
      })
  }

  private static func issue(
    _ number: Int, _ shownNumber: JSONValue, _ numbers: inout SeededNumbers
  ) -> JSONValue {
    let url = "\(repository)/issues/\(number)"
    let isPull = numbers.percent(35)
    let page = "https://github.com/apple/swift/\(isPull ? "pull" : "issues")/\(number)"
    let isClosed = numbers.percent(60)
    let assignees = numbers.percent(30) ? [user(&numbers)] : []
    var members: [(String, JSONValue)] = [
      ("url", .text(url)), ("repository_url", .text(repository)),
      ("labels_url", "\(url)/labels{/name}"), ("comments_url", "\(url)/comments"),
      ("events_url", "\(url)/events"), ("html_url", .text(page)),
      ("id", .int(2_700_000_000 + numbers.int(0...99_999_999))),
      ("node_id", .text(nodeID("I_", &numbers))), ("number", shownNumber),
      ("title", .text(IssueText.title(&numbers))), ("user", user(&numbers)),
      ("labels", .list((0..<numbers.pick([0, 0, 1, 2, 2, 3, 4])).map { _ in label(&numbers) })),
      ("state", isClosed ? "closed" : "open"), ("locked", .bool(numbers.percent(3))),
      ("assignee", assignees.first ?? .null), ("assignees", .list(assignees)),
      ("milestone", numbers.percent(30) ? milestone(&numbers) : nil),
      ("comments", .int(numbers.int(0...40))), ("created_at", .text(date(&numbers))),
      ("updated_at", .text(date(&numbers))), ("closed_at", isClosed ? .text(date(&numbers)) : nil),
      ("author_association", .text(numbers.pick(["NONE", "CONTRIBUTOR", "MEMBER", "OWNER"]))),
      ("type", nil), ("active_lock_reason", nil),
      ("sub_issues_summary", ["total": 0, "completed": 0, "percent_completed": 0]),
      (
        "issue_dependencies_summary",
        ["blocked_by": 0, "total_blocked_by": 0, "blocking": 0, "total_blocking": 0]
      ),
    ]
    if isPull {
      let pull = "\(repository)/pulls/\(number)"
      members.append(("draft", .bool(numbers.percent(10))))
      members.append(
        (
          "pull_request",
          [
            "url": .text(pull), "html_url": .text(page), "diff_url": "\(page).diff",
            "patch_url": "\(page).patch", "merged_at": isClosed ? .text(date(&numbers)) : nil,
          ]
        ))
    }
    members += [
      ("body", numbers.percent(4) ? nil : .text(IssueText.body(&numbers))), ("closed_by", nil),
      ("reactions", reactions(url, &numbers)), ("timeline_url", "\(url)/timeline"),
      ("performed_via_github_app", nil), ("state_reason", isClosed ? "completed" : nil),
    ]
    return .object(members)
  }
}

extension IssuePage {
  private static func user(_ numbers: inout SeededNumbers) -> JSONValue {
    let login = IssueText.login(&numbers)
    let id = numbers.int(1_000...99_999_999)
    let url = "\(api)/users/\(login)"
    return [
      "login": .text(login), "id": .int(id), "node_id": .text(nodeID("MDQ6", &numbers)),
      "avatar_url": "https://avatars.githubusercontent.com/u/\(id)?v=4", "gravatar_id": "",
      "url": .text(url), "html_url": "https://github.com/\(login)",
      "followers_url": "\(url)/followers", "following_url": "\(url)/following{/other_user}",
      "gists_url": "\(url)/gists{/gist_id}", "starred_url": "\(url)/starred{/owner}{/repo}",
      "subscriptions_url": "\(url)/subscriptions", "organizations_url": "\(url)/orgs",
      "repos_url": "\(url)/repos", "events_url": "\(url)/events{/privacy}",
      "received_events_url": "\(url)/received_events", "type": "User",
      "user_view_type": "public", "site_admin": .bool(numbers.percent(2)),
    ]
  }

  private static func label(_ numbers: inout SeededNumbers) -> JSONValue {
    let name = numbers.pick(IssueText.labels)
    return [
      "id": .int(numbers.int(1_000_000_000...6_999_999_999)),
      "node_id": .text(nodeID("LA_", &numbers)),
      "url": "\(repository)/labels/\(name.replacing(" ", with: "%20"))", "name": .text(name),
      "color": .text(String(numbers.int(0x100000...0xFFFFFF), radix: 16)),
      "default": .bool(name == "bug"),
      "description": numbers.percent(30) ? nil : .text(IssueText.title(&numbers)),
    ]
  }

  private static func milestone(_ numbers: inout SeededNumbers) -> JSONValue {
    let number = numbers.int(1...40)
    let url = "\(repository)/milestones/\(number)"
    return [
      "url": .text(url), "html_url": "https://github.com/apple/swift/milestone/\(number)",
      "labels_url": "\(url)/labels", "id": .int(numbers.int(1_000_000...9_999_999)),
      "node_id": .text(nodeID("MI_", &numbers)), "number": .int(number),
      "title": "\(number / 10).\(number % 10)", "description": .text(IssueText.title(&numbers)),
      "creator": user(&numbers), "open_issues": .int(numbers.int(0...60)),
      "closed_issues": .int(numbers.int(0...400)), "state": "open",
      "created_at": .text(date(&numbers)), "updated_at": .text(date(&numbers)), "due_on": nil,
      "closed_at": nil,
    ]
  }

  private static func reactions(_ url: String, _ numbers: inout SeededNumbers) -> JSONValue {
    let counts = (0..<8).map { _ in numbers.percent(10) ? numbers.int(1...30) : 0 }
    let names = ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"]
    return .object(
      [("url", "\(url)/reactions"), ("total_count", .int(counts.reduce(0, +)))]
        + zip(names, counts).map { ($0, .int($1)) })
  }

  private static func nodeID(_ prefix: String, _ numbers: inout SeededNumbers) -> String {
    let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return prefix + String((0..<16).map { _ in numbers.pick(characters) })
  }

  private static func date(_ numbers: inout SeededNumbers) -> String {
    func two(_ range: ClosedRange<Int>) -> String { String("0\(numbers.int(range))".suffix(2)) }
    let day = "20\(numbers.int(15...26))-\(two(1...12))-\(two(1...28))"
    return "\(day)T\(two(0...23)):\(two(0...59)):\(two(0...59))Z"
  }
}
