import Curlew
import CurlewScreens
import Foundation

// MARK: Network

nonisolated struct Issue: Decodable, Identifiable, Equatable, Sendable {
  struct User: Decodable, Equatable, Sendable { let login: String }

  struct PullRequest: Decodable, Equatable, Sendable {}

  let id: Int
  let number: Int
  let title: String
  let user: User?
  let pullRequest: PullRequest?

  var author: String { user?.login ?? "ghost" }
}

nonisolated extension GitHub {
  /// Returns no issues if the repository doesn't exist.
  func openIssues(of name: RepositoryName) async throws -> [Issue] {
    guard let name = try await repository(name)?.fullName else { return [] }
    let issues: [Issue] = try await client.send(
      .get("/repos/\(name.owner)/\(name.name)/issues", query: ["state": "open", "per_page": 100]))
    return issues.filter { $0.pullRequest == nil }
  }
}

// MARK: Views

nonisolated extension Search<Issue> {
  static func openIssues(at github: GitHub = GitHub()) -> Self {
    Search(hint: {
      RepositoryName(rawValue: $0) == nil ? "Repositories are written owner/name." : nil
    }) {
      guard let name = RepositoryName(rawValue: $0) else { return [] }
      return try await github.openIssues(of: name)
    }
  }
}

#if canImport(SwiftUI)
  import CurlewSwiftUI
  import SwiftUI

  struct IssueTrackerView: View {
    @State private var model = ScreenModel(Search<Issue>.openIssues())

    var body: some View {
      NavigationStack {
        SearchList(model, prompt: "owner/name") { issue in
          VStack(alignment: .leading) {
            Text(issue.title).font(.headline)
            Text(verbatim: "#\(issue.number) · \(issue.author)").foregroundStyle(.secondary)
          }.accessibilityElement(children: .combine)
        } placeholder: {
          ListPlaceholderView($0, initial: "Search for a repository, such as apple/swift.")
        }.navigationTitle("Issues").activity(of: model).running(model)
      }
    }
  }
#endif
