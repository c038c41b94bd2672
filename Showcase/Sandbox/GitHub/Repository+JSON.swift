import Foundation

extension Account {
  func json(home: String) -> JSON {
    let api = "\(home)/users/\(login)"
    return .object([
      ("login", .string(login)),
      ("id", .int(id)),
      ("node_id", .string("U_sandbox\(id)")),
      ("avatar_url", .string("\(home)/avatars/u/\(id).svg?v=4")),
      ("gravatar_id", .string("")),
      ("url", .string(api)),
      ("html_url", .string("\(home)/\(login)")),
      ("followers_url", .string("\(api)/followers")),
      ("following_url", .string("\(api)/following{/other_user}")),
      ("gists_url", .string("\(api)/gists{/gist_id}")),
      ("starred_url", .string("\(api)/starred{/owner}{/repo}")),
      ("subscriptions_url", .string("\(api)/subscriptions")),
      ("organizations_url", .string("\(api)/orgs")),
      ("repos_url", .string("\(api)/repos")),
      ("events_url", .string("\(api)/events{/privacy}")),
      ("received_events_url", .string("\(api)/received_events")),
      ("type", .string(kind.rawValue)),
      ("site_admin", .bool(false)),
    ])
  }
}

extension Repository {
  /// The repository as it is asked for by name: with what a search leaves out.
  func json(anchor: Date, home: String) -> JSON {
    var members = members(anchor: anchor, home: home)
    if owner.kind == .organization { members.append(("organization", owner.json(home: home))) }
    members += [("network_count", .int(forks)), ("subscribers_count", .int(stars / 25))]
    return changed(members)
  }

  private func changed(_ members: [(String, JSON)]) -> JSON {
    RealData.change(of: self)?.applied(to: members) ?? .object(members)
  }

  /// The repository as a search finds it.
  func found(anchor: Date, home: String) -> JSON {
    changed(members(anchor: anchor, home: home) + [("score", .int(1))])
  }

  private var forks: Int { stars / 6 }

  /// The hours since somebody changed something.
  var idleHours: Double { 1 + Double(id % 40) / 7 }

  private func members(anchor: Date, home: String) -> [(String, JSON)] {
    let (api, web) = ("\(home)/repos/\(fullName)", "\(home)/\(fullName)")
    func date(_ hours: Double) -> JSON { .date(anchor.addingTimeInterval(-hours * 3_600)) }
    let identity: [(String, JSON)] = [
      ("id", .int(id)),
      ("node_id", .string("R_sandbox\(id)")),
      ("name", .string(name)),
      ("full_name", .string(fullName)),
      ("private", .bool(false)),
      ("owner", owner.json(home: home)),
      ("html_url", .string(web)),
      ("description", .optional(description)),
      ("fork", .bool(false)),
      ("url", .string(api)),
    ]
    let addresses = Self.addresses.map { ("\($0.0)_url", JSON.string("\(api)/\($0.1)")) }
    let facts: [(String, JSON)] = [
      ("created_at", date(Double(96_000 + id % 9_000))),
      ("updated_at", date(idleHours)),
      ("pushed_at", date(1 + Double(id % 90) / 5)),
      ("git_url", .string("\(web.replacing("http:", with: "git:")).git")),
      ("ssh_url", .string("git@sandbox.invalid:\(fullName).git")),
      ("clone_url", .string("\(web).git")),
      ("svn_url", .string(web)),
      ("homepage", .optional(homepage)),
      ("size", .int(900 + stars * 7)),
      ("stargazers_count", .int(stars)),
      ("watchers_count", .int(stars)),
      ("language", .optional(language)),
      ("has_issues", .bool(true)),
      ("has_projects", .bool(false)),
      ("has_downloads", .bool(true)),
      ("has_wiki", .bool(false)),
      ("has_pages", .bool(false)),
      ("forks_count", .int(forks)),
      ("mirror_url", .null),
      ("archived", .bool(false)),
      ("disabled", .bool(false)),
      ("open_issues_count", .int(open)),
      ("license", license?.json ?? .null),
      ("allow_forking", .bool(true)),
      ("is_template", .bool(false)),
      ("web_commit_signoff_required", .bool(false)),
      ("topics", .strings(topics)),
      ("visibility", .string("public")),
      ("forks", .int(forks)),
      ("open_issues", .int(open)),
      ("watchers", .int(stars)),
      ("default_branch", .string(branch)),
    ]
    return identity + addresses + facts
  }

  /// The names and ends of the addresses that lead to a repository's parts.
  private static let addresses = [
    ("forks", "forks"), ("keys", "keys{/key_id}"),
    ("collaborators", "collaborators{/collaborator}"), ("teams", "teams"), ("hooks", "hooks"),
    ("issue_events", "issues/events{/number}"), ("events", "events"),
    ("assignees", "assignees{/user}"), ("branches", "branches{/branch}"), ("tags", "tags"),
    ("blobs", "git/blobs{/sha}"), ("git_tags", "git/tags{/sha}"), ("git_refs", "git/refs{/sha}"),
    ("trees", "git/trees{/sha}"), ("statuses", "statuses/{sha}"), ("languages", "languages"),
    ("stargazers", "stargazers"), ("contributors", "contributors"),
    ("subscribers", "subscribers"), ("subscription", "subscription"),
    ("commits", "commits{/sha}"), ("git_commits", "git/commits{/sha}"),
    ("comments", "comments{/number}"), ("issue_comment", "issues/comments{/number}"),
    ("contents", "contents/{+path}"), ("compare", "compare/{base}...{head}"),
    ("merges", "merges"), ("archive", "{archive_format}{/ref}"), ("downloads", "downloads"),
    ("issues", "issues{/number}"), ("pulls", "pulls{/number}"),
    ("milestones", "milestones{/number}"),
    ("notifications", "notifications{?since,all,participating}"), ("labels", "labels{/name}"),
    ("releases", "releases{/id}"), ("deployments", "deployments"),
  ]
}

extension JSON {
  /// A date as GitHub writes it: UTC, whole seconds.
  static func date(_ date: Date) -> JSON { .string(date.formatted(.iso8601)) }
}
