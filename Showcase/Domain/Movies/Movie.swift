public import Foundation

/// A movie in a catalogue.
public struct Movie: Hashable, Sendable, Identifiable {
  /// The identifier in the catalogue.
  public let id: Int
  /// The title.
  public let title: String
  /// The poster.
  public let poster: URL?
  /// The wide image; `nil` if there is none.
  public var backdrop: URL?
  /// The release date, such as `2026-01-31`; empty if unknown.
  public let releaseDate: String
  /// The average vote, from 0 to 10; `nil` if unknown.
  public let voteAverage: Double?
  /// The number of votes; `nil` if unknown.
  public let voteCount: Int?
  /// The description; may be empty.
  public let overview: String
  /// The title in the original language; like all following properties, missing in lists.
  public var originalTitle: String?
  /// The advertising slogan.
  public var tagline: String?
  /// The running time in minutes.
  public var runtime: Int?
  /// The genres in the requested language.
  public var genres: [String]
  /// The URL of the movie's own website.
  public var link: URL?
  /// The time as of which these values are current; `nil` if unknown, as in lists.
  public var asOf: Date?

  /// Creates a movie.
  public init(
    id: Int, title: String, poster: URL?, backdrop: URL? = nil, releaseDate: String,
    voteAverage: Double?,
    voteCount: Int?, overview: String, originalTitle: String? = nil, tagline: String? = nil,
    runtime: Int? = nil, genres: [String] = [], link: URL? = nil, asOf: Date? = nil
  ) {
    self.id = id
    self.title = title
    self.poster = poster
    self.backdrop = backdrop
    self.releaseDate = releaseDate
    self.voteAverage = voteAverage
    self.voteCount = voteCount
    self.overview = overview
    self.originalTitle = originalTitle
    self.tagline = tagline
    self.runtime = runtime
    self.genres = genres
    self.link = link
    self.asOf = asOf
  }
}

/// A list in a catalogue of movies.
public enum MovieList: String, CaseIterable, Sendable {
  /// The movies now in cinemas.
  case nowPlaying = "now_playing"
  /// The movies with the best average votes.
  case topRated = "top_rated"
}

/// The key of a movie's data in a language.
public struct MovieKey: Hashable, Sendable {
  /// The movie's identifier.
  public let id: Int
  /// The language, such as `en-US`.
  public let language: String

  /// Creates a key.
  public init(id: Int, language: String) {
    (self.id, self.language) = (id, language)
  }
}

/// A catalogue of movies.
public protocol MovieCatalogue: Sendable {
  /// Returns a movie; `nil` if it doesn't exist.
  func movie(_ key: MovieKey) async throws -> Movie?

  /// Returns a page of a list in a language, such as `en-US`; page numbers start at 1.
  func movies(in list: MovieList, language: String, page: Int) async throws -> Listing<Movie>
}
