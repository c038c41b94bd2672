import SwiftUI

// MARK: Network

struct Issue: Decodable, Identifiable, Sendable {
  struct User: Decodable, Sendable { let login: String }

  struct PullRequest: Decodable, Sendable {}

  let id: Int
  let number: Int
  let title: String
  let user: User?
  let pullRequest: PullRequest?

  var author: String { user?.login ?? "ghost" }
}

extension GitHub {
  /// Returns no issues if the repository doesn't exist.
  func openIssues(of name: RepositoryName) async throws -> [Issue] {
    do {
      let found = try await repository(name.description)
      let issues: [Issue] = try await client.get(
        "repos/\(found.fullName)/issues", query: ["state": "open", "per_page": "100"])
      return issues.filter { $0.pullRequest == nil }
    } catch let error as APIError where error.status == 404 { return [] }
  }
}

// MARK: Views

struct IssueTrackerView: View {
  @State private var search = Search(Loader(fetch: GitHub().openIssues))
  @FocusState private var isFieldFocused: Bool

  var body: some View {
    NavigationStack {
      SearchScreen(search, prompt: "owner/name") { issues in
        List(issues) { issue in IssueRow(issue: issue).onTapGesture { isFieldFocused = false } }
      }.start {
        ContentUnavailableView(
          "Open Issues", systemImage: "ladybug",
          description: Text("Search for a repository, such as apple/swift."))
      }.hint {
        ContentUnavailableView(
          "Not a Repository", systemImage: "questionmark.folder",
          description: Text("Repositories are written owner/name."))
      }.searchFocused($isFieldFocused).navigationTitle("Issues")
    }
  }
}

private struct IssueRow: View {
  let issue: Issue

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(issue.title).font(.headline)
      Text(verbatim: "#\(issue.number) · \(issue.author)").font(.subheadline).foregroundStyle(
        .secondary)
    }.frame(maxWidth: .infinity, alignment: .leading).contentShape(.rect).spoken(
      "Issue \(issue.number) by \(issue.author): \(issue.title)")
  }
}
