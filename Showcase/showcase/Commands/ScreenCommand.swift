import ArgumentParser
import CurlewLive

/// `showcase screen NAME`: a screen in the terminal.
struct ScreenCommand: AsyncParsableCommand {
  /// The screens by the beginning of their pages' paths.
  enum Name: String, CaseIterable, ExpressibleByArgument {
    case issues, repositories, repository, movies, itunes, dogs
  }

  static let configuration = CommandConfiguration(
    commandName: "screen",
    abstract:
      "Run a screen in the terminal: a line in for what you do, a line out for what you see.",
    discussion: """
      The lines are the actions of the pages:

        issues         term OWNER/NAME, submit, retry, pick NUMBER, close
        repositories   term LANGUAGE, submit, more, refresh, retry, pick OWNER/NAME
        repository     retry, issues
        movies         list now-playing|top-rated, language de-DE, more, refresh, retry
        itunes         country gb, limit 50, refresh, retry
        dogs           term TEXT, submit, retry

      A line that begins with / opens that address, as in /issues?q=apple/swift. The end of the \
      input ends it, with status 0; a line that is no action with 64.
      """)

  @Argument(help: "Which screen: \(Name.allCases.map(\.rawValue).joined(separator: ", ")).")
  var name: Name

  @Argument(help: ArgumentHelp("Where it opens; its page by default.", valueName: "address"))
  var address: String?

  @OptionGroup(title: "Source of the data (default: a sandbox in the process)")
  var options: SourceOptions

  func run() async throws {
    try await Backend.run(options.source) { backend in
      let screens = Screens(
        trackIssues: backend.trackIssues, host: backend.host, store: backend.store,
        catalogue: backend.catalogue, kennel: backend.kennel)
      let templates = try Templates()
      switch name {
      case .issues: try await play(IssuesPage(screens.issues, templates))
      case .repositories: try await play(RepositoriesPage(screens.repositories, templates))
      case .repository: try await play(RepositoryPage(screens.repository, templates))
      case .movies: try await play(MoviesPage(screens.movies, templates))
      case .itunes: try await play(TopMoviesPage(screens.topMovies, templates))
      case .dogs: try await play(DogsPage(screens.dogs, templates))
      }
    }
  }

  @MainActor
  private func play<Page: SpokenPage>(_ page: Page) async throws {
    let screen = TerminalScreen(page) { line in
      // Whoever reads may have seen enough.
      try? StandardStream.output.write(line.printable + "\n")
    }
    do {
      try await screen.play(address ?? defaultAddress, StandardLines())
    } catch let error as TerminalScreen<Page>.Unknown {
      throw Failure(
        "There is no action or address '\(error.line)' on this screen; see showcase help screen.",
        status: .usage)
    }
  }

  private var defaultAddress: String {
    switch name {
    case .movies: "/movies/now-playing"
    case .repository: "/repositories/apple/swift"
    default: "/\(name.rawValue)"
    }
  }
}
