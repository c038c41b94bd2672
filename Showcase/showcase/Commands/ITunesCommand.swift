import ArgumentParser
import Domain

/// `showcase itunes`: the best-selling movies in the iTunes store.
struct ITunesCommand: ListCommand {
  static let configuration = CommandConfiguration(
    commandName: "itunes",
    abstract: "Print the best-selling movies in a country's iTunes store.",
    discussion: Failure.legend)

  @Option(help: ArgumentHelp("The country's two-letter code.", valueName: "code"))
  var country = "us"

  @Option(help: ArgumentHelp("The maximum number of movies, up to 100.", valueName: "n"))
  var limit = 25

  @OptionGroup var output: OutputOptions

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  func validate() throws {
    guard country.wholeMatch(of: /[A-Za-z]{2}/) != nil else {
      throw ValidationError("--country must be two letters such as us, not '\(country)'.")
    }
    guard (1...100).contains(limit) else {
      throw ValidationError("--limit must be between 1 and 100, not \(limit).")
    }
  }

  func query(on backend: Backend) async throws -> Query<StoreMovie> {
    let (country, limit, store) = (country.lowercased(), limit, backend.sources.store)
    return Query(
      title: { _ in "iTunes \(country)" },
      nothing: { _ in "the store of \(country) lists no movies" }
    ) { _ in
      try await store.topMovies(in: country, limit: limit)
    }
  }
}
