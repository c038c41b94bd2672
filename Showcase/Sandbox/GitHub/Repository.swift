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
  /// The number of open issues and pull requests together, as GitHub counts them.
  let open: Int
  let closed: Int
  let branch: String
  /// The name of the subject that its issues are about.
  let subject: String
  /// What is unlike an ordinary repository, and unlike ordinary issues in the first ones.
  var change: Change?
  var issueChanges: [Change]?

  var fullName: String { "\(owner.login)/\(name)" }

  /// What the words of a search are looked for in.
  var searchedText: String { "\(fullName) \(description ?? "")".lowercased() }

  /// The hours since the last change.
  var idleHours: Double { 1 + Double(id % 40) / 7 }

  /// Returns the repository as it is when it is asked for by name: with what a search leaves out.
  func details(home: String, now: Date) -> JSON {
    var more: [String: JSON] = [
      "network_count": .int(stars / 6), "subscribers_count": .int(stars / 25),
    ]
    if owner.type == .organization { more["organization"] = owner.json(home: home) }
    return json(home: home, now: now).changed(by: Change(set: more)).changed(by: change)
  }

  /// Returns the repository as a search finds it.
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
  /// Those that are valid and yet hard to show: missing and null members, very long words.
  private static let hard = decodeResource(
    PackageResources.real_data_json, as: [String: [Repository]].self)["repositories", default: []]

  /// The repositories of the data file, which have the most issues.
  static var listed: [Repository] { file.repositories }

  /// All repositories, those with the most stars first.
  static let all =
    (file.repositories + hard + RepositoryGenerator.repositories)
    .sorted { ($1.stars, $0.id) < ($0.stars, $1.id) }

  private static let byName = Dictionary(
    uniqueKeysWithValues: all.map { ($0.fullName.lowercased(), $0) })

  /// Finds a repository by its full name, ignoring case as GitHub does.
  static func named(_ name: String) -> Repository? { byName[name.lowercased()] }

  /// Finds a repository by the name that it once had.
  static func renamed(from name: String) -> Repository? {
    file.renamed[name.lowercased()].flatMap { named($0) }
  }
}
