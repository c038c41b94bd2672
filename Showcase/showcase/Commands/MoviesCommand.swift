import Application
import ArgumentParser
import Domain

/// `showcase movies LIST`: lists of movies on TMDB.
struct MoviesCommand: ListCommand {
  /// A list's name as a command-line argument.
  enum List: String, ExpressibleByArgument, CaseIterable {
    case nowPlaying = "now-playing"
    case topRated = "top-rated"

    var list: MovieList { self == .nowPlaying ? .nowPlaying : .topRated }
  }

  static let configuration = CommandConfiguration(
    commandName: "movies",
    abstract: "Print the movies that are now in cinemas, or the top-rated movies.",
    discussion: """
      With --live it needs a key for TMDB, from TMDB_API_KEY or --tmdb-key: \
      https://www.themoviedb.org/settings/api.

      \(Failure.legend)
      """)

  @Argument(help: "now-playing or top-rated.")
  var list = List.nowPlaying

  @Option(help: ArgumentHelp("The language of titles and descriptions.", valueName: "code"))
  var language = "en-US"

  @OptionGroup var output: OutputOptions
  @OptionGroup var pages: PageOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  var choice: PageChoice { pages.choice }

  func validate() throws {
    guard language.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*/) != nil else {
      throw ValidationError("--language must be a code such as en-US, not '\(language)'.")
    }
  }

  func query(on backend: Backend) async throws -> Query<Movie> {
    let (list, language, catalogue) = (list, language, backend.sources.catalogue)
    return Query(
      title: { _ in list.list.title },
      nothing: { loaded in
        "no movie is listed as \(list.rawValue)"
          + (loaded.first > 1 ? " on page \(loaded.first)" : "")
      }
    ) { page in
      try await catalogue.movies(in: list.list, language: language, page: page)
    }
  }
}
