import Foundation

// MARK: Network

struct GitHub: Sendable {
  var client = APIClient(
    baseURL: URL(string: "https://api.github.com")!,
    headers: ["Accept": "application/vnd.github+json"])

  func repository(_ fullName: String) async throws -> Repository {
    try await client.get("repos/\(fullName)")
  }
}

struct Repository: Decodable, Identifiable, Hashable, Sendable {
  struct License: Decodable, Hashable, Sendable { let name: String }

  let id: Int
  let fullName: String
  let description: String?
  let stargazersCount: Int
  let forksCount: Int
  let openIssuesCount: Int
  let license: License?
  /// Missing in lists.
  let subscribersCount: Int?
}

/// A text of the form `owner/name`.
struct RepositoryName: LosslessStringConvertible, Equatable, Sendable {
  let description: String

  init?(_ text: String) {
    guard text.wholeMatch(of: /[A-Za-z0-9_-]+\/(?!\.\.?$)[A-Za-z0-9._-]+/) != nil else {
      return nil
    }
    description = text
  }
}
