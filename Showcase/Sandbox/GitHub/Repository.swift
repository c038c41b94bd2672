import Foundation

/// A user, an organization or a bot.
struct Account: Decodable, Sendable {
  enum Kind: String, Decodable, Sendable {
    case user = "User", organization = "Organization", bot = "Bot"
  }

  let login: String
  let id: Int
  let type: Kind

  func json(home: String) -> JSON {
    GitHub.templates.account.filled([
      "home": .string(home), "login": .string(login), "id": .int(id),
      "type": .string(type.rawValue),
    ])
  }
}

/// A repository.
struct Repository: Decodable, Sendable {
  let id: Int
  let owner: Account
  let name: String
  var description: String?
  var language: String?
  /// The license's SPDX identifier.
  var license: String?
  let topics: [String]
  var homepage: String?
  let stars: Int
  /// The number of open issues and pull requests, which GitHub counts together.
  let open: Int
  let closed: Int
  let branch: String
  /// The name of the subject of its issues.
  let subject: String
  /// The differences from the template of a repository, and from the templates of its first issues.
  var change: Change?
  var issueChanges: [Change]?

  var fullName: String { "\(owner.login)/\(name)" }

  /// The text that a search matches.
  var searchedText: String { "\(fullName) \(description ?? "")".lowercased() }

  /// The hours since the last change.
  var idleHours: Double { 1 + Double(id % 40) / 7 }

  /// Returns the details of the repository, including members that search results omit.
  func details(home: String, now: Date) -> JSON {
    var more: [String: JSON] = [
      "network_count": .int(stars / 6), "subscribers_count": .int(stars / 25),
    ]
    if owner.type == .organization { more["organization"] = owner.json(home: home) }
    return json(home: home, now: now).changed(by: Change(set: more)).changed(by: change)
  }

  /// Returns the repository in the format of a search result.
  func searchResult(home: String, now: Date) -> JSON {
    json(home: home, now: now).changed(by: Change(set: ["score": 1])).changed(by: change)
  }

  private func json(home: String, now: Date) -> JSON {
    func date(_ hours: Double) -> JSON {
      .string(now.addingTimeInterval(-hours * 3_600).formatted(.iso8601))
    }
    let license = license.map { license in
      GitHub.templates.license.filled([
        "key": .string(license.lowercased()), "spdx": .string(license),
        "name": JSON(Self.file.licenses[license]),
      ])
    }
    return GitHub.templates.repository.filled([
      "home": .string(home), "git": .string(home.replacing("http:", with: "git:")),
      "id": .int(id), "name": .string(name), "full_name": .string(fullName),
      "owner": owner.json(home: home), "description": JSON(description),
      "created": date(Double(96_000 + id % 9_000)), "updated": date(idleHours),
      "pushed": date(1 + Double(id % 90) / 5), "homepage": JSON(homepage),
      "size": .int(900 + stars * 7), "stars": .int(stars), "language": JSON(language),
      "forks": .int(stars / 6), "open": .int(open), "license": license ?? .null,
      "topics": .array(topics.map { .string($0) }), "branch": .string(branch),
    ])
  }
}

extension Repository {
  fileprivate struct File: Decodable, Sendable {
    let renamed, licenses: [String: String]
    let repositories: [Repository]
  }

  private static let file = decodeResource(
    PackageResources.github_repositories_json, as: File.self)
  /// Repositories that are valid, but difficult to display: missing and null members, very long
  /// words.
  private static let hard = decodeResource(
    PackageResources.real_data_json, as: [String: [Repository]].self)["repositories", default: []]

  /// The repositories in the data file, which have the most issues.
  static var listed: [Repository] { file.repositories }

  /// All repositories, most stars first.
  static let all =
    (file.repositories + hard + generated)
    .sorted { ($1.stars, $0.id) < ($0.stars, $1.id) }

  private static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.fullName.lowercased(), $0) })

  /// Finds a repository by its full name; ignores case, as GitHub does.
  static func named(_ name: String) -> Repository? { byName[name.lowercased()] }

  /// Finds a repository by its former name.
  static func renamed(from name: String) -> Repository? {
    file.renamed[name.lowercased()].flatMap { named($0) }
  }
}
