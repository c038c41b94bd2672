/// All members of an issue in GitHub's responses.
struct FullIssue: Decodable, Equatable, Sendable {
  let url, repository_url, labels_url, comments_url, events_url, html_url: String
  let id: Int
  let node_id: String
  let number: Int
  let title: String
  let user: User
  let labels: [Label]
  let state: String
  let locked: Bool
  let assignee: User?
  let assignees: [User]
  let milestone: Milestone?
  let comments: Int
  let created_at, updated_at: String
  let closed_at: String?
  let author_association: String
  let type, active_lock_reason: String?
  let sub_issues_summary: SubIssues
  let issue_dependencies_summary: Dependencies
  let draft: Bool?
  let pull_request: PullRequest?
  let body: String?
  let closed_by: User?
  let reactions: Reactions
  let timeline_url: String
  let performed_via_github_app, state_reason: String?

  struct User: Decodable, Equatable, Sendable {
    let login: String
    let id: Int
    let node_id, avatar_url, gravatar_id, url, html_url, followers_url, following_url: String
    let gists_url, starred_url, subscriptions_url, organizations_url, repos_url, events_url: String
    let received_events_url, type, user_view_type: String
    let site_admin: Bool
  }

  struct Label: Decodable, Equatable, Sendable {
    let id: Int
    let node_id, url, name, color: String
    let `default`: Bool
    let description: String?
  }

  struct Milestone: Decodable, Equatable, Sendable {
    let url, html_url, labels_url: String
    let id: Int
    let node_id: String
    let number: Int
    let title: String
    let description: String?
    let creator: User
    let open_issues, closed_issues: Int
    let state, created_at, updated_at: String
    let due_on, closed_at: String?
  }

  struct SubIssues: Decodable, Equatable, Sendable {
    let total, completed, percent_completed: Int
  }

  struct Dependencies: Decodable, Equatable, Sendable {
    let blocked_by, total_blocked_by, blocking, total_blocking: Int
  }

  struct PullRequest: Decodable, Equatable, Sendable {
    let url, html_url, diff_url, patch_url: String
    let merged_at: String?
  }

  struct Reactions: Decodable, Equatable, Sendable {
    let url: String
    let total_count, plusOne, minusOne, laugh, hooray, confused, heart, rocket, eyes: Int

    enum CodingKeys: String, CodingKey {
      case plusOne = "+1"
      case minusOne = "-1"
      case url, total_count, laugh, hooray, confused, heart, rocket, eyes
    }
  }
}
