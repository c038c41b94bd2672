public import CurlewScreens
public import Domain
import Foundation

/// One movie at length: what a list knew at once, then the rest.
public typealias MovieDetail = Detail<MovieKey, Movie, Movie>

extension Detail where ID == MovieKey, Known == Movie, Content == Movie {
  /// Shows the movies of a catalogue.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue.
  ///   - recent: The movies that lists showed.
  public init(
    catalogue: any MovieCatalogue, recent: RecentValues<MovieKey, Movie> = RecentValues()
  ) {
    self.init(known: { recent[$0] }, asOf: \.asOf) { try await catalogue.movie($0) }
  }
}

extension Detail.State where Known == Movie, Content == Movie {
  /// The movie as far as it is known; `nil` where there is none.
  public var movie: Movie? { latest }
}

/// Leads to one movie: `/movie/120011?language=de-DE`.
public struct MovieRoute: Route {
  /// The movie and its language.
  public let key: MovieKey

  /// Leads to a movie.
  public init(_ key: MovieKey) {
    self.key = key
  }

  /// Reads an address; what is unknown in its query is left out.
  public init?(address: String) {
    guard let components = URLComponents(string: address), components.host == nil else {
      return nil
    }
    let parts = components.percentEncodedPath.split(separator: "/")
    guard parts.count == 2, parts[0] == "movie" else { return nil }
    let language = components.queryItems?.first { $0.name == "language" }?.value
    self.init(id: String(parts[1]), language: language)
  }

  /// Reads the parts of an address.
  ///
  /// It is `nil` unless the number is one; a language that can't be chosen becomes the usual one.
  public init?(id: String, language: String?) {
    guard let id = Int(id), id > 0 else { return nil }
    let codes = MovieFilter.languages.map(\.code)
    key = MovieKey(id: id, language: codes.first { $0 == language } ?? codes[0])
  }

  /// The path.
  public var path: String { "/movie/\(key.id)" }

  /// The language as the query has it; `nil` for the usual one.
  public var language: String? {
    key.language == MovieFilter.languages[0].code ? nil : key.language
  }

  /// The path, and the language unless it is the usual one.
  public var address: String { path + (language.map { "?language=\($0)" } ?? "") }
}
