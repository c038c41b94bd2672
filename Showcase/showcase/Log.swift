import Curlew
import Domain

/// Where details for developers go: requests, statuses, coding paths, what a server said.
///
/// Commands write them with `--verbose`, the pages' server always; users read other texts.
struct Log: Sendable {
  let write: @Sendable (String) -> Void

  /// Drops the details.
  static let silent = Log { _ in }

  /// Writes lines to standard error, whether or not somebody reads them.
  static let standardError = Log { line in
    try? StandardStream.error.write(line.printable + "\n")
  }
}

/// The sources of data, with a log of what fails and of what is left out.
struct LoggedSources: CodeHost, MovieCatalogue, MovieStore {
  let host: any CodeHost
  let catalogue: any MovieCatalogue
  let store: any MovieStore
  let log: Log

  func repository(named name: RepositoryName) async throws -> Repository? {
    try await logged { try await host.repository(named: name) }
  }

  func repositories(in language: String, page: Int) async throws -> Listing<Repository> {
    try await listing { try await host.repositories(in: language, page: page) }
  }

  func openIssues(of repository: Repository, page: Int) async throws -> Listing<Issue> {
    try await listing { try await host.openIssues(of: repository, page: page) }
  }

  func movies(in list: MovieList, language: String, page: Int) async throws -> Listing<Movie> {
    try await listing { try await catalogue.movies(in: list, language: language, page: page) }
  }

  func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie> {
    try await listing { try await store.topMovies(in: country, limit: limit) }
  }

  private func listing<Item>(
    _ load: () async throws -> Listing<Item>
  ) async throws -> Listing<Item> {
    let listing = try await logged(load)
    for entry in listing.damaged {
      log.write("entry \(entry.index + 1) is left out: \(entry.reason)")
    }
    return listing
  }

  private func logged<Value>(_ load: () async throws -> Value) async throws -> Value {
    do {
      return try await load()
    } catch {
      // Whoever cancels a request knows why.
      if !Task.isCancelled { log.write("\(error)") }
      throw error
    }
  }
}
