import Curlew
public import Domain
public import Foundation

/// A repository as GitHub sends it: what the showcase needs of it.
public struct RepositoryPayload: Decodable, Sendable {
  struct Owner: Decodable, Sendable {
    let avatar: String?

    private enum CodingKeys: String, CodingKey {
      case avatar = "avatar_url"
    }
  }

  struct License: Decodable, Sendable {
    let name: String?
    let spdx: String?

    private enum CodingKeys: String, CodingKey {
      case name
      case spdx = "spdx_id"
    }

    /// GitHub says `NOASSERTION` of a licence that it doesn't know.
    var shortName: String? { spdx.flatMap { $0 == "NOASSERTION" ? nil : $0 } ?? name }
  }

  /// `owner/name`, the present one; what is no such name makes the payload unreadable.
  let fullName: RepositoryName
  let owner: Owner?
  let description: String?
  let language: String?
  let stars: Int?
  let forks: Int?
  /// The followers; `watchers_count` is the number of stars once more.
  let subscribers: Int?
  let openIssues: Int?
  let topics: [String]?
  let license: License?
  let page: String?

  private enum CodingKeys: String, CodingKey {
    case owner, description, language, topics, license
    case fullName = "full_name"
    case stars = "stargazers_count"
    case forks = "forks_count"
    case subscribers = "subscribers_count"
    case openIssues = "open_issues_count"
    case page = "html_url"
  }

  /// The repository.
  var repository: Repository {
    Repository(
      name: fullName, avatar: owner?.avatar.flatMap { URL(string: $0) }, summary: description,
      language: language, stars: stars, forks: forks, watchers: subscribers,
      openIssues: openIssues, topics: topics ?? [], licence: license?.shortName,
      link: page.flatMap { URL(string: $0) })
  }
}

extension RepositoryName: Decodable {
  /// Reads `owner/name`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let name = RepositoryName(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected owner/name, found \"\(text)\"")
    }
    self = name
  }
}

/// A page of what a search for repositories found.
public struct FoundRepositories: Decodable, Sendable {
  let totalCount: Int?
  /// Whether GitHub ran out of time before it had looked everywhere.
  let incompleteResults: Bool?
  let items: LossyList<RepositoryPayload>

  private enum CodingKeys: String, CodingKey {
    case items
    case totalCount = "total_count"
    case incompleteResults = "incomplete_results"
  }
}

/// An issue as GitHub sends it; GitHub lists pull requests among the issues.
public struct IssuePayload: Decodable, Sendable {
  struct User: Decodable, Sendable {
    let login: String?
  }

  /// An object, or only its name; an object may lack either member, and `null` lacks both.
  struct LabelPayload: Decodable, Sendable {
    let name: String?
    let color: String?

    private enum CodingKeys: String, CodingKey {
      case name, color
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        (name, color) = (nil, nil)
      } else if let name = try? container.decode(String.self) {
        (self.name, color) = (name, nil)
      } else {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        color = try members.decodeIfPresent(String.self, forKey: .color)
      }
    }
  }

  struct PullRequest: Decodable, Sendable {}

  let number: Int
  let title: String
  let body: String?
  let labels: [LabelPayload]?
  /// Missing when the account was deleted.
  let user: User?
  let comments: Int?
  let createdAt: Date
  let pullRequest: PullRequest?

  private enum CodingKeys: String, CodingKey {
    case number, title, body, labels, user, comments
    case createdAt = "created_at"
    case pullRequest = "pull_request"
  }

  /// The issue; `nil` for a pull request.
  func issue(of repository: RepositoryName) -> Issue? {
    guard pullRequest == nil else { return nil }
    return Issue(
      repository: repository, number: number, title: title, body: body ?? "",
      labels: (labels ?? []).compactMap { label in
        label.name.map { Issue.Label(name: $0, color: label.color ?? "") }
      },
      author: user?.login ?? "ghost", createdAt: createdAt, comments: comments)
  }
}

extension JSONDecoder {
  /// Reads GitHub's dates (RFC 3339).
  public static var github: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
