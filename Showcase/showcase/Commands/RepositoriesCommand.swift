import ArgumentParser
import Domain
import Foundation

/// `showcase repositories LANGUAGE`: the most starred repositories of a language.
struct RepositoriesCommand: ListCommand {
  static let configuration = CommandConfiguration(
    commandName: "repositories",
    abstract: "Print a programming language's repositories, the most starred first.",
    discussion: Failure.legend)

  @Argument(help: "The main language of the repositories.")
  var language = "swift"

  @OptionGroup var output: OutputOptions
  @OptionGroup var pages: PageOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  var choice: PageChoice { pages.choice }

  func validate() throws {
    guard !name.isEmpty else { throw ValidationError("Type a language, for example swift.") }
  }

  func query(on backend: Backend) async throws -> Query<Repository> {
    let (name, host) = (name, backend.sources.host)
    return Query(
      title: { _ in name },
      nothing: { list in
        list.first > 1
          ? "\(name) has no repositories on page \(list.first)"
          : "no repository is written in \(name)"
      }
    ) { page in
      try await host.repositories(in: name, page: page)
    }
  }

  private var name: String { language.trimmingCharacters(in: .whitespacesAndNewlines) }
}
