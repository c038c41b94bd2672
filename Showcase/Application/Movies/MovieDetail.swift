public import CurlewScreens
public import Domain
import Foundation

/// The screen of a movie: shows the movie from the list until its details are loaded.
public typealias MovieDetail = Detail<MovieKey, Movie, Movie>

extension Detail where ID == MovieKey, Known == Movie, Content == Movie {
  /// Creates a screen for the movies of a catalogue.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue.
  ///   - recent: The movies shown in lists.
  public init(
    catalogue: any MovieCatalogue, recent: RecentValues<MovieKey, Movie> = RecentValues()
  ) {
    self.init(known: { recent[$0] }, source: Source(asOf: \.asOf) { try await catalogue.movie($0) })
  }
}

extension Detail.State where Known == Movie, Content == Movie {
  /// The movie as far as it is loaded; `nil` if there is none.
  public var movie: Movie? { latest }
}

/// The route to a movie, such as `/movie/120011?language=de-DE`.
public struct MovieRoute: Route {
  /// The movie and its language.
  public let key: MovieKey

  /// Creates a route to a movie.
  public init(_ key: MovieKey) {
    self.key = key
  }

  /// Parses an address; ignores an unknown language.
  public init?(address: String) {
    guard let components = URLComponents(string: address), components.host == nil else {
      return nil
    }
    let parts = components.percentEncodedPath.split(separator: "/")
    guard parts.count == 2, parts[0] == "movie" else { return nil }
    let language = components.queryItems?.first { $0.name == "language" }?.value
    self.init(id: String(parts[1]), language: language)
  }

  /// Creates a route from the parts of an address.
  ///
  /// Returns `nil` if the identifier is not a positive number. Replaces an unsupported language by
  /// the default language.
  public init?(id: String, language: String?) {
    guard let id = Int(id), id > 0 else { return nil }
    let codes = MovieFilter.languages.map(\.code)
    key = MovieKey(id: id, language: codes.first { $0 == language } ?? codes[0])
  }

  /// The path, without the query.
  public var path: String { "/movie/\(key.id)" }

  /// The value of the query's `language`; `nil` for the default language.
  public var language: String? {
    key.language == MovieFilter.languages[0].code ? nil : key.language
  }

  /// The path, and the language unless it is the default language.
  public var address: String { path + (language.map { "?language=\($0)" } ?? "") }
}
