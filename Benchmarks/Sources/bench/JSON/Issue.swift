import Foundation

/// 25 of the about 100 members of an issue in GitHub's responses.
struct Issue: Decodable, Equatable, Sendable {
  struct User: Decodable, Equatable, Sendable {
    let login: String
    let id: Int
    let avatar_url, html_url, type: String
    let site_admin: Bool
  }

  struct Label: Decodable, Equatable, Sendable {
    let name, color: String
    let description: String?
  }

  struct Milestone: Decodable, Equatable, Sendable {
    let number: Int
    let title: String
  }

  struct Reactions: Decodable, Equatable, Sendable {
    let total_count, heart: Int
  }

  let html_url: String
  let id, number: Int
  let title: String
  let user: User
  let labels: [Label]
  let state: String
  let locked: Bool
  let milestone: Milestone?
  let comments: Int
  let created_at, updated_at: String
  let closed_at: String?
  let author_association: String
  let body: String?
  let reactions: Reactions
}

/// The members of ``Issue``, with dates.
struct DatedIssue: Decodable, Equatable, Sendable {
  let html_url: String
  let id, number: Int
  let title: String
  let user: Issue.User
  let labels: [Issue.Label]
  let state: String
  let locked: Bool
  let milestone: Issue.Milestone?
  let comments: Int
  let created_at, updated_at: Date
  let closed_at: Date?
  let author_association: String
  let body: String?
  let reactions: Issue.Reactions
}

/// The members of ``Issue``, with property names for `convertFromSnakeCase`.
struct CamelIssue: Decodable, Equatable, Sendable {
  struct User: Decodable, Equatable, Sendable {
    let login: String
    let id: Int
    let avatarUrl, htmlUrl, type: String
    let siteAdmin: Bool
  }

  struct Reactions: Decodable, Equatable, Sendable {
    let totalCount, heart: Int
  }

  let htmlUrl: String
  let id, number: Int
  let title: String
  let user: User
  let labels: [Issue.Label]
  let state: String
  let locked: Bool
  let milestone: Issue.Milestone?
  let comments: Int
  let createdAt, updatedAt: String
  let closedAt: String?
  let authorAssociation: String
  let body: String?
  let reactions: Reactions
}

/// Four members of an issue.
struct SparseIssue: Decodable, Equatable, Sendable {
  let id, number: Int
  let title, state: String
}
