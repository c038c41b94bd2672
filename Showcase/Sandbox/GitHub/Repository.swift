import Foundation

/// A person, an organisation or a machine.
struct Account: Sendable, Equatable {
  enum Kind: String, Sendable { case person = "User", organization = "Organization", bot = "Bot" }

  let login: String
  let id: Int
  let kind: Kind

  func json(home: String) -> JSON {
    .object([
      ("login", .string(login)),
      ("id", .int(id)),
      ("node_id", .string("U_sandbox\(id)")),
      ("avatar_url", .string("https://avatars.githubusercontent.com/u/\(id)?v=4")),
      ("gravatar_id", .string("")),
      ("url", .string("\(home)/users/\(login)")),
      ("html_url", .string("\(home)/\(login)")),
      ("type", .string(kind.rawValue)),
      ("site_admin", .bool(false)),
    ])
  }
}

/// A repository of the catalogue.
struct Repository: Sendable {
  enum License: String, Sendable {
    case apache = "Apache-2.0", mit = "MIT", gpl = "GPL-2.0", bsd = "BSD-3-Clause"

    var name: String {
      switch self {
      case .apache: "Apache License 2.0"
      case .mit: "MIT License"
      case .gpl: "GNU General Public License v2.0"
      case .bsd: "BSD 3-Clause \"New\" or \"Revised\" License"
      }
    }

    var json: JSON {
      .object([
        ("key", .string(rawValue.lowercased())), ("name", .string(name)),
        ("spdx_id", .string(rawValue)), ("node_id", .string("L_sandbox\(rawValue.lowercased())")),
      ])
    }
  }

  let id: Int
  let owner: Account
  let name: String
  let description: String?
  let language: String?
  let license: License?
  let topics: [String]
  let homepage: String?
  let stars: Int
  /// Open issues and pull requests together, as GitHub counts them.
  let open: Int
  let closed: Int
  let branch: String
  let theme: Theme

  var fullName: String { "\(owner.login)/\(name)" }

  func json(anchor: Date, home: String) -> JSON {
    let (api, web) = ("\(home)/repos/\(fullName)", "\(home)/\(fullName)")
    func date(_ hours: Double) -> JSON { .date(anchor.addingTimeInterval(-hours * 3_600)) }
    return .object([
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
      ("issues_url", .string("\(api)/issues{/number}")),
      ("labels_url", .string("\(api)/labels{/name}")),
      ("pulls_url", .string("\(api)/pulls{/number}")),
      ("created_at", date(Double(96_000 + id % 9_000))),
      ("updated_at", date(1 + Double(id % 40) / 7)),
      ("pushed_at", date(1 + Double(id % 90) / 5)),
      ("clone_url", .string("\(web).git")),
      ("homepage", .optional(homepage)),
      ("size", .int(900 + stars * 7)),
      ("stargazers_count", .int(stars)),
      ("watchers_count", .int(stars)),
      ("language", .optional(language)),
      ("has_issues", .bool(true)),
      ("has_wiki", .bool(false)),
      ("forks_count", .int(stars / 6)),
      ("archived", .bool(false)),
      ("disabled", .bool(false)),
      ("open_issues_count", .int(open)),
      ("license", license?.json ?? .null),
      ("topics", .strings(topics)),
      ("visibility", .string("public")),
      ("forks", .int(stars / 6)),
      ("open_issues", .int(open)),
      ("watchers", .int(stars)),
      ("default_branch", .string(branch)),
      ("network_count", .int(stars / 6)),
      ("subscribers_count", .int(stars / 25)),
    ])
  }
}

extension JSON {
  /// A date as GitHub writes it: UTC, whole seconds.
  static func date(_ date: Date) -> JSON { .string(date.formatted(.iso8601)) }
}
