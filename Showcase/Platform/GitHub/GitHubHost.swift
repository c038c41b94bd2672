public import Curlew
public import Domain
import HTTPTypes

/// GitHub as a code host.
public struct GitHubHost: CodeHost {
  private let client: Client

  /// Uses a client whose base URL is that of GitHub's API, and whose decoder reads its dates.
  public init(client: Client) {
    self.client = client
  }

  /// Asks for a repository; only 404 means that there is none, and a response that can't be read is
  /// an error.
  public func repository(named name: RepositoryName) async throws -> Repository? {
    do {
      return try await client.send(GitHub.repository(name)).repository
    } catch {
      guard error.status == .notFound else { throw error }
      return nil
    }
  }

  /// Asks for ten repositories; GitHub shows the first thousand of them at most.
  public func repositories(
    in language: String, page: Int
  ) async throws -> Listing<Repository> {
    let response = try await client.response(
      for: GitHub.repositories(language: language, page: page))
    let found = response.value
    return Listing(
      found.items.elements.map(\.repository),
      nextPage: response.head.headerFields.nextPage(after: page), total: found.totalCount?.value,
      isIncomplete: found.incompleteResults?.value ?? false, damaged: found.items.damaged)
  }

  /// Asks for a hundred of a repository's issues, and leaves out its pull requests, and all but the
  /// first issue of a number.
  public func openIssues(of repository: Repository, page: Int) async throws -> Listing<Issue> {
    do {
      let response = try await client.response(for: GitHub.issues(of: repository.name, page: page))
      var numbers: Set<Int> = []
      // A recording of another request may have another order.
      let issues = response.value.elements.compactMap { $0.issue(of: repository.name) }
        .filter { numbers.insert($0.number).inserted }
        .sorted { ($0.createdAt, $0.number) > ($1.createdAt, $1.number) }
      return Listing(
        issues, nextPage: response.head.headerFields.nextPage(after: page),
        damaged: response.value.damaged)
    } catch {
      // A repository whose issues are switched off has none.
      guard error.status == .gone else { throw error }
      return Listing([])
    }
  }
}

extension HTTPFields {
  /// The page that GitHub names as the next one.
  fileprivate func nextPage(after page: Int) -> Int? {
    // A recording of another page would lead round in circles.
    links.next?["page"].flatMap { Int($0) }.flatMap { $0 > page ? $0 : nil }
  }
}
