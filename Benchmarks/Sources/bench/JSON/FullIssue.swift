/// All members of an issue in GitHub's responses.
struct FullIssue: Decodable, Equatable, Sendable {
  let url: String
  let repository_url: String
  let labels_url: String
  let comments_url: String
  let events_url: String
  let html_url: String
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
  let created_at: String
  let updated_at: String
  let closed_at: String?
  let author_association: String
  let type: String?
  let active_lock_reason: String?
  let sub_issues_summary: SubIssues
  let issue_dependencies_summary: Dependencies
  let draft: Bool?
  let pull_request: PullRequest?
  let body: String?
  let closed_by: User?
  let reactions: Reactions
  let timeline_url: String
  let performed_via_github_app: String?
  let state_reason: String?

  struct User: Decodable, Equatable, Sendable {
    let login: String
    let id: Int
    let node_id: String
    let avatar_url: String
    let gravatar_id: String
    let url: String
    let html_url: String
    let followers_url: String
    let following_url: String
    let gists_url: String
    let starred_url: String
    let subscriptions_url: String
    let organizations_url: String
    let repos_url: String
    let events_url: String
    let received_events_url: String
    let type: String
    let user_view_type: String
    let site_admin: Bool
  }

  struct Label: Decodable, Equatable, Sendable {
    let id: Int
    let node_id: String
    let url: String
    let name: String
    let color: String
    let `default`: Bool
    let description: String?
  }

  struct Milestone: Decodable, Equatable, Sendable {
    let url: String
    let html_url: String
    let labels_url: String
    let id: Int
    let node_id: String
    let number: Int
    let title: String
    let description: String?
    let creator: User
    let open_issues: Int
    let closed_issues: Int
    let state: String
    let created_at: String
    let updated_at: String
    let due_on: String?
    let closed_at: String?
  }

  struct SubIssues: Decodable, Equatable, Sendable {
    let total: Int
    let completed: Int
    let percent_completed: Int
  }

  struct Dependencies: Decodable, Equatable, Sendable {
    let blocked_by: Int
    let total_blocked_by: Int
    let blocking: Int
    let total_blocking: Int
  }

  struct PullRequest: Decodable, Equatable, Sendable {
    let url: String
    let html_url: String
    let diff_url: String
    let patch_url: String
    let merged_at: String?
  }

  struct Reactions: Decodable, Equatable, Sendable {
    let url: String
    let total_count: Int
    let plusOne: Int
    let minusOne: Int
    let laugh: Int
    let hooray: Int
    let confused: Int
    let heart: Int
    let rocket: Int
    let eyes: Int

    enum CodingKeys: String, CodingKey {
      case plusOne = "+1"
      case minusOne = "-1"
      case url, total_count, laugh, hooray, confused, heart, rocket, eyes
    }
  }
}
