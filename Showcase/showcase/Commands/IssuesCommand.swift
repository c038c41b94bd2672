import Application
import ArgumentParser
import Domain

/// `showcase issues OWNER/NAME`: a repository's open issues as a table or as JSON.
struct IssuesCommand: ListCommand {
  static let configuration = CommandConfiguration(
    commandName: "issues",
    abstract: "Print a repository's open issues, the newest first, up to 100 per page.",
    discussion: """
      On a terminal the table is coloured and fits the width; elsewhere its lines are neither \
      coloured nor shortened.

      \(Failure.legend)
      """)

  @OptionGroup var repository: RepositoryArgument

  @OptionGroup var output: OutputOptions
  @OptionGroup var pages: PageOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  var choice: PageChoice { pages.choice }

  func query(on backend: Backend) async throws -> Query<Domain.Issue> {
    let name = try repository.name
    let host = backend.sources.host
    let repository = try await host.repository(named: name)
    return Query(
      title: { "\($0.first?.repository ?? name)" },
      nothing: { list in
        if repository == nil { return "there is no repository \(name)" }
        if list.nextPage != nil { return "page \(list.first) of \(name) has only pull requests" }
        return "\(name) has no open issues" + (list.first > 1 ? " on page \(list.first)" : "")
      },
      pages: repository?.openIssues.map { max(1, $0 / 100 + ($0 % 100 > 0 ? 1 : 0)) }
    ) { page in
      guard let repository else { return Listing([]) }
      return try await host.openIssues(of: repository, page: page)
    }
  }
}
