public import Foundation

/// A movie in a catalogue.
public struct Movie: Equatable, Sendable, Identifiable {
  /// The number in the catalogue.
  public let id: Int
  /// The title.
  public let title: String
  /// The poster.
  public let poster: URL?
  /// The release date, as `2026-01-31`; empty when it is not known.
  public let releaseDate: String
  /// The average vote, from 0 to 10; `nil` when it is not known.
  public let voteAverage: Double?
  /// The number of votes; `nil` when it is not known.
  public let voteCount: Int?
  /// The description; may be empty.
  public let overview: String

  /// Creates a movie.
  public init(
    id: Int, title: String, poster: URL?, releaseDate: String, voteAverage: Double?,
    voteCount: Int?, overview: String
  ) {
    self.id = id
    self.title = title
    self.poster = poster
    self.releaseDate = releaseDate
    self.voteAverage = voteAverage
    self.voteCount = voteCount
    self.overview = overview
  }
}

/// A list that a catalogue of movies keeps.
public enum MovieList: String, CaseIterable, Sendable {
  /// The movies in the cinemas.
  case nowPlaying = "now_playing"
  /// The movies with the best votes.
  case topRated = "top_rated"
}

/// Lists movies.
public protocol MovieCatalogue: Sendable {
  /// Returns a page of a list, from 1, in a language, such as `en-US`.
  func movies(in list: MovieList, language: String, page: Int) async throws -> Listing<Movie>
}
