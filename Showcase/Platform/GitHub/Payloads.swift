import Domain
public import Foundation

/// A repository as GitHub sends it: what the showcase needs of it.
public struct RepositoryPayload: Decodable, Sendable {
  /// `owner/name`, the present one.
  let fullName: String

  private enum CodingKeys: String, CodingKey {
    case fullName = "full_name"
  }

  /// The repository; `nil` when its name is not one.
  var repository: Repository? { RepositoryName(fullName).map(Repository.init(name:)) }
}

/// An issue as GitHub sends it; GitHub lists pull requests among the issues.
public struct IssuePayload: Decodable, Sendable {
  struct User: Decodable, Sendable {
    let login: String
  }

  /// An object, or only its name; an object may lack either member.
  struct LabelPayload: Decodable, Sendable {
    let name: String?
    let color: String?

    private enum CodingKeys: String, CodingKey {
      case name, color
    }

    init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        self.name = name
        color = nil
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
  let labels: [LabelPayload]
  /// Missing when the account was deleted.
  let user: User?
  let comments: Int
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
      labels: labels.compactMap { label in
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
