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

  @Flag(help: "Print a JSON object with every field, for scripts.")
  var json = false

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  var name: String { "movie \(id)" }

  func find(on backend: Backend) async throws -> Movie? {
    try await backend.sources.catalogue.movie(MovieKey(id: id, language: language))
  }

  func card(of movie: Movie, on terminal: Terminal, isFictitious: Bool) -> String {
    movie.card(on: terminal, isFictitious: isFictitious, language: language)
  }
}

extension Movie {
  /// Returns a line for each known value; a terminal wraps long lines.
  func card(on terminal: Terminal, isFictitious: Bool, language: String) -> String {
    facts(language: language, isFictitious: isFictitious && terminal.width != nil)
      .card(in: terminal.colors)
  }

  /// Returns the values with their names; unknown values are empty.
  func facts(language: String, isFictitious: Bool = false) -> [(name: String, value: String)] {
    let facts = MovieFacts(self, language: language)
    return [
      ("Title", facts.title + (isFictitious ? " (sandbox data)" : "")),
      ("Original", facts.originalTitle ?? ""), ("Released", facts.released ?? ""),
      ("Runtime", facts.runtime ?? ""), ("Genres", genres.joined(separator: ", ")),
      ("Rated", facts.rating ?? ""), ("Tagline", tagline ?? ""), ("Overview", facts.overview),
      ("Link", link?.absoluteString ?? ""),
    ]
  }
}

extension [(name: String, value: String)] {
  /// Returns a line for each nonempty value.
  func card(in colors: Terminal.Colors) -> String {
    filter { !$0.value.isEmpty }.map { name, value in
      name.padded(to: 13).styled("2", in: colors) + value.printable + "\n"
    }.joined()
  }
}
