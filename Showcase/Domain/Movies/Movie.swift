public import Foundation

/// A movie in a catalogue.
public struct Movie: Hashable, Sendable, Identifiable {
  /// The number in the catalogue.
  public let id: Int
  /// The title.
  public let title: String
  /// The poster.
  public let poster: URL?
  /// The wide picture; `nil` when there is none.
  public var backdrop: URL?
  /// The release date, as `2026-01-31`; empty when it is not known.
  public let releaseDate: String
  /// The average vote, from 0 to 10; `nil` when it is not known.
  public let voteAverage: Double?
  /// The number of votes; `nil` when it is not known.
  public let voteCount: Int?
  /// The description; may be empty.
  public let overview: String
  /// The title in the language that it was made in; as all that follows, not in lists.
  public var originalTitle: String?
  /// A sentence that advertises it.
  public var tagline: String?
  /// How long it is, in minutes.
  public var runtime: Int?
  /// The genres, in the language that was asked for.
  public var genres: [String]
  /// Its own page.
  public var link: URL?
  /// When the catalogue last said all of this; `nil` when that is not known, as of one in a list.
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

/// A list that a catalogue of movies keeps.
public enum MovieList: String, CaseIterable, Sendable {
  /// The movies in the cinemas.
  case nowPlaying = "now_playing"
  /// The movies with the best votes.
  case topRated = "top_rated"
}

/// What a catalogue has of a movie in a language.
public struct MovieKey: Hashable, Sendable {
  /// The number of the movie.
  public let id: Int
  /// The language, such as `en-US`.
  public let language: String

  /// Creates a key.
  public init(id: Int, language: String) {
    (self.id, self.language) = (id, language)
  }
}

/// Lists movies.
public protocol MovieCatalogue: Sendable {
  /// Finds a movie; `nil` when there is none with this number.
  func movie(_ key: MovieKey) async throws -> Movie?

  /// Returns a page of a list, from 1, in a language, such as `en-US`.
  func movies(in list: MovieList, language: String, page: Int) async throws -> Listing<Movie>
}
