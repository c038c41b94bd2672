import Application
import ArgumentParser
import Domain
import Foundation

/// `showcase movie ID`: one movie at length.
struct MovieCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "movie",
    abstract: "Print the details of a movie.",
    discussion: Failure.legend)

  @Argument(
    help: ArgumentHelp(
      "The movie's number at TMDB, as 'showcase movies --json' prints it.", valueName: "id"))
  var id: Int

  @Option(help: ArgumentHelp("The language of title and description.", valueName: "code"))
  var language = MovieFilter.languages[0].code

  @Flag(help: "Print a JSON object with every field, for scripts.")
  var json = false

  @OptionGroup(title: "Source of the data (default: the sandbox, local mock servers)")
  var options: SourceOptions

  func run() async throws {
    let (key, source) = (MovieKey(id: id, language: language), options.source)
    let (found, isMadeUp) = try await Backend.run(source) { [options] backend in
      do {
        let value = try await options.waiting(for: "the movie") {
          try await backend.sources.catalogue.movie(key)
        }
        return (value, backend.isMadeUp)
      } catch {
        throw Failure(error)
      }
    }
    guard let found else {
      if json { try StandardStream.output.write("null\n") }
      throw Failure("Nothing found: there is no movie \(id).", status: .nothingFound)
    }
    if json {
      try StandardStream.output.write(Movie.json(found).json)
    } else {
      try StandardStream.output.write(
        found.card(on: Terminal(of: .output), isMadeUp: isMadeUp, language: language))
      if let age = AgeView(asOf: found.asOf, isOffline: false, now: Date()), !age.isNew {
        try StandardStream.error.write(age.text + ".\n")
      }
    }
  }
}

extension Movie {
  /// A line for each value that is known; a terminal breaks long ones.
  func card(on terminal: Terminal, isMadeUp: Bool, language: String) -> String {
    let facts = MovieFacts(self, language: language)
    return [
      ("Title", facts.title + (isMadeUp && terminal.width != nil ? " (sandbox data)" : "")),
      ("Original", facts.originalTitle ?? ""), ("Released", facts.released ?? ""),
      ("Runtime", facts.runtime ?? ""), ("Genres", genres.joined(separator: ", ")),
      ("Rated", facts.rating ?? ""), ("Tagline", tagline ?? ""), ("Overview", facts.overview),
      ("Link", link?.absoluteString ?? ""),
    ].card(in: terminal.colors)
  }
}

extension [(name: String, value: String)] {
  /// A line for each value that is not empty.
  func card(in colors: Terminal.Colors) -> String {
    filter { !$0.value.isEmpty }.map { name, value in
      name.padded(to: 13).styled("2", in: colors) + value.printable + "\n"
    }.joined()
  }
}
