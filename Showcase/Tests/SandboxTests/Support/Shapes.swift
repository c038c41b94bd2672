import Foundation

struct AccountShape: Decodable {
  let login: String
  let id: Int
  let avatar_url: URL
  let html_url: URL
  let type: String
}

struct RepositoryShape: Decodable {
  struct License: Decodable { let key: String, name: String, spdx_id: String }

  let id: Int
  let node_id: String
  let name: String
  let full_name: String
  let `private`: Bool
  let owner: AccountShape
  let html_url: URL
  let description: String?
  let fork: Bool
  let url: URL
  let created_at: Date
  let updated_at: Date
  let pushed_at: Date
  let homepage: String?
  let size: Int
  let stargazers_count: Int
  let watchers_count: Int
  let language: String?
  let forks_count: Int
  let open_issues_count: Int
  let license: License?
  let topics: [String]
  let default_branch: String
}

struct SearchShape: Decodable {
  let total_count: Int
  let incomplete_results: Bool
  let items: [RepositoryShape]
}

struct IssueShape: Decodable {
  struct Label: Decodable {
    let id: Int
    let name: String
    let color: String
    let description: String?
    let `default`: Bool
  }
  struct Pull: Decodable { let url: URL, html_url: URL, diff_url: URL, patch_url: URL }

  let id: Int
  let number: Int
  let title: String
  let state: String
  let user: AccountShape
  let labels: [Label]
  let comments: Int
  let created_at: Date
  let updated_at: Date
  let closed_at: Date?
  let body: String?
  let html_url: URL
  let url: URL
  let locked: Bool
  let assignee: AccountShape?
  let assignees: [AccountShape]
  let author_association: String
  let pull_request: Pull?
}

struct ErrorShape: Decodable {
  let message: String
}

/// TMDB's error response.
struct Refusal: Decodable, Equatable {
  let status_code: Int
  let status_message: String
  let success: Bool
}
