import Curlew
import Foundation

// MARK: Network

nonisolated struct GitHub: Sendable {
  var client = Client(baseURL: "https://api.github.com") {
    $0.middleware = [.retrying()]
    $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
  }

  func repository(_ name: RepositoryName) async throws -> Repository? {
    try await client.send(.get("/repos/\(name.owner)/\(name.name)").returning(nil, for: .notFound))
  }
}

nonisolated struct RepositoryName: RawRepresentable, Decodable, Hashable, Sendable {
  let owner: String
  let name: String

  init?(rawValue text: String) {
    let pattern = /([A-Za-z0-9_-]+)\/(?!\.\.?$)([A-Za-z0-9._-]+)/
    guard let match = text.wholeMatch(of: pattern) else { return nil }
    (owner, name) = (String(match.1), String(match.2))
  }

  var rawValue: String { "\(owner)/\(name)" }
}

nonisolated struct Repository: Decodable, Identifiable, Hashable, Sendable {
  struct License: Decodable, Hashable, Sendable { let name: String }

  let id: Int
  let fullName: RepositoryName
  let description: String?
  let stargazersCount: Int
  let forksCount: Int
  let openIssuesCount: Int
  let license: License?
  /// Missing in lists.
  let subscribersCount: Int?
}
