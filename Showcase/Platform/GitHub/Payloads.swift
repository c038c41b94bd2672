import Curlew
import CurlewJSON
public import Domain
public import Foundation

/// The members of GitHub's JSON representation of a repository that the showcase uses.
public struct RepositoryPayload: Decodable, Sendable {
  struct Owner: Decodable, Sendable {
    let avatar: Lenient<String>?

    private enum CodingKeys: String, CodingKey {
      case avatar = "avatar_url"
    }
  }

  struct License: Decodable, Sendable {
    let name: Lenient<String>?
    let spdx: Lenient<String>?

    private enum CodingKeys: String, CodingKey {
      case name
      case spdx = "spdx_id"
    }

    /// The name if the identifier is `NOASSERTION`, which GitHub sends for an unknown licence.
    var shortName: String? {
      let identifier = spdx?.value
      return identifier == nil || identifier == "NOASSERTION" ? name?.value : identifier
    }
  }

  let id: Count?
  /// The current `owner/name`; decoding fails if it is not a valid name.
  let fullName: RepositoryName
  let owner: Lenient<Owner>?
  let description: Lenient<String>?
  let language: Lenient<String>?
  let stars: Count?
  let forks: Count?
  /// The users who watch the repository; `watchers_count` is a duplicate of the number of stars.
  let subscribers: Count?
  let openIssues: Count?
  let topics: Lenient<LossyList<String>>?
  let license: Lenient<License>?
  let page: Lenient<String>?

  private enum CodingKeys: String, CodingKey {
    case id, owner, description, language, topics, license
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
      name: fullName, globalID: id?.value,
      avatar: owner?.value?.avatar?.value.flatMap { URL(string: $0) },
      summary: description?.value, language: language?.value, stars: stars?.value,
      forks: forks?.value, watchers: subscribers?.value, openIssues: openIssues?.value,
      topics: topics?.value?.elements ?? [], licence: license?.value?.shortName,
      link: page?.value.flatMap { URL(string: $0) })
  }
}

extension RepositoryName: Codable {
  /// Decodes `owner/name`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let name = RepositoryName(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "expected owner/name, found \"\(text)\"")
    }
    self = name
  }

  /// Encodes `owner/name`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// A page of search results for repositories.
public struct FoundRepositories: Decodable, Sendable {
  let totalCount: Count?
  /// Whether GitHub's search timed out before it was complete.
  let incompleteResults: Lenient<Bool>?
  let items: LossyList<RepositoryPayload>

  private enum CodingKeys: String, CodingKey {
    case items
    case totalCount = "total_count"
    case incompleteResults = "incomplete_results"
  }
}

/// The JSON representation of an issue; GitHub also lists pull requests as issues.
public struct IssuePayload: Decodable, Sendable {
  struct User: Decodable, Sendable {
    let login: Lenient<String>?
    let avatar: Lenient<String>?

    private enum CodingKeys: String, CodingKey {
      case login
      case avatar = "avatar_url"
    }
  }

  /// A label: an object whose members are both optional, or only its name.
  struct LabelPayload: Decodable, Sendable {
    let name: String?
    let color: String?

    private enum CodingKeys: String, CodingKey {
      case name, color
    }

    init(from decoder: any Decoder) throws {
      if let text = try? String(from: decoder) {
        name = text
        color = nil
      } else {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try? members.decode(String.self, forKey: .name)
        color = try? members.decode(String.self, forKey: .color)
      }
    }

    /// The label; `nil` if its name is blank.
    var label: Issue.Label? {
      guard let name, name.contains(where: { !$0.isWhitespace }) else { return nil }
      return Issue.Label(name: name, color: color ?? "")
    }
  }

  /// An object with any members.
  struct PullRequest: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
      case url
    }

    init(from decoder: any Decoder) throws {
      _ = try decoder.container(keyedBy: CodingKeys.self)
    }
  }

  let id: Count?
  let number: Int
  let title: String
  let body: Lenient<String>?
  let labels: Lenient<LossyList<LabelPayload>>?
  /// Missing if the account was deleted.
  let user: Lenient<User>?
  let comments: Count?
  let createdAt: Date
  let page: Lenient<String>?
  /// The URL of the repository in the API.
  let repositoryURL: Lenient<String>?
  /// `open` or `closed`.
  let state: Lenient<String>?
  /// An object for pull requests; otherwise missing or null.
  let pullRequest: Lenient<PullRequest>?

  private enum CodingKeys: String, CodingKey {
    case id, number, title, body, labels, user, comments, state
    case createdAt = "created_at"
    case page = "html_url"
    case repositoryURL = "repository_url"
    case pullRequest = "pull_request"
  }

  /// The repository, from its URL; `nil` if unknown.
  var repository: RepositoryName? {
    let path = repositoryURL?.value?.split(separator: "/").suffix(2) ?? []
    return RepositoryName(path.joined(separator: "/"))
  }

  /// Returns the issue; `nil` for a pull request.
  func issue(of repository: RepositoryName) -> Issue? {
    guard pullRequest?.value == nil else { return nil }
    return Issue(
      repository: repository, number: number, globalID: id?.value, title: title,
      body: body?.value ?? "",
      labels: labels?.value?.elements.compactMap(\.label) ?? [],
      author: user?.value?.login?.value ?? "ghost",
      avatar: user?.value?.avatar?.value.flatMap { URL(string: $0) },
      link: page?.value.flatMap { URL(string: $0) }, createdAt: createdAt,
      comments: comments?.value, isOpen: state?.value != "closed")
  }
}

/// The JSON representation of a comment on an issue.
public struct CommentPayload: Decodable, Sendable {
  let id: Int
  let body: Lenient<String>?
  /// Missing if the account was deleted.
  let user: Lenient<IssuePayload.User>?
  let createdAt: Date

  private enum CodingKeys: String, CodingKey {
    case id, body, user
    case createdAt = "created_at"
  }

  /// The comment.
  var comment: IssueComment {
    IssueComment(
      id: id, author: user?.value?.login?.value ?? "ghost", text: body?.value ?? "",
      createdAt: createdAt)
  }
}

extension JSONDecoder {
  /// A decoder for GitHub's dates (RFC 3339).
  public static var github: JSONDecoder {
    let decoder = FastJSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
