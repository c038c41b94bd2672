public import Curlew
public import Domain
import HTTPTypes

/// GitHub as a place that keeps repositories.
public struct GitHubHost: CodeHost {
  private let client: Client

  /// Uses a client whose base URL is that of GitHub's API, and whose decoder reads its dates.
  public init(client: Client) {
    self.client = client
  }

  /// Asks for a repository, and takes 404 for none.
  public func repository(named name: RepositoryName) async throws -> Repository? {
    do {
      return try await client.send(GitHub.repository(name)).repository
    } catch {
      guard error.status == .notFound else { throw error }
      return nil
    }
  }

  /// Asks for the first hundred of a repository's issues, once, without its pull requests.
  public func openIssues(of repository: Repository) async throws -> IssueList {
    do {
      let answer = try await client.answer(to: GitHub.issues(of: repository.name))
      // A recording of another request may answer in another order.
      let issues = answer.value.compactMap { $0.issue(of: repository.name) }
        .sorted { ($0.createdAt, $0.number) > ($1.createdAt, $1.number) }
      // GitHub names the next page where there is one (RFC 8288).
      let links = HTTPField.Name("Link").flatMap { answer.head.headerFields[$0] } ?? ""
      return IssueList(issues, isPartial: links.contains("rel=\"next\""))
    } catch {
      // A repository whose issues are switched off has none.
      guard error.status == .gone else { throw error }
      return []
    }
  }
}
