import Application
import ArgumentParser
import Domain
import Foundation

/// `showcase movie ID`: the details of a movie.
struct MovieCommand: DetailCommand {
  static let configuration = CommandConfiguration(
    commandName: "movie",
    abstract: "Print the details of a movie.",
    discussion: Failure.legend)

  @Argument(
    help: ArgumentHelp(
      "The movie's id at TMDB, as printed by 'showcase movies --json'.", valueName: "id"))
  var id: Int

  @Option(help: ArgumentHelp("The language of title and description.", valueName: "code"))
  var language = MovieFilter.languages[0].code

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  var name: String { "movie \(id)" }

  func find(on backend: Backend) async throws -> Movie? {
    try await backend.sources.catalogue.movie(MovieKey(id: id, language: language))
  }

  func facts(of movie: Movie) -> [Fact] { movie.facts(language: language) }
}
