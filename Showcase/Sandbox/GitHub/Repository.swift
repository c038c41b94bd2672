/// A person, an organisation or a machine.
struct Account: Sendable, Equatable {
  enum Kind: String, Sendable { case person = "User", organization = "Organization", bot = "Bot" }

  let login: String
  let id: Int
  let kind: Kind
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
        ("spdx_id", .string(rawValue)),
        ("url", .string("https://api.github.com/licenses/\(rawValue.lowercased())")),
        ("node_id", .string("L_sandbox\(rawValue.lowercased())")),
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
}
