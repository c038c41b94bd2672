public import Foundation

/// A movie as a catalogue knows it.
public struct Movie: Equatable, Sendable, Identifiable {
  /// Its number in the catalogue.
  public let id: Int
  /// What it is called.
  public let title: String
  /// Its poster.
  public let poster: URL?
  /// When it came out, as `2026-01-31`; empty when that is not known.
  public let releaseDate: String
  /// The average vote, from 0 to 10; `nil` when it is not known.
  public let voteAverage: Double?
  /// The number of votes; `nil` when it is not known.
  public let voteCount: Int?
  /// What happens in it; may be empty.
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
  /// What is in the cinemas.
  case nowPlaying = "now_playing"
  /// What those who voted like best.
  case topRated = "top_rated"
}

/// Lists movies.
public protocol MovieCatalogue: Sendable {
  /// Lists movies in a language, such as `en-US`.
  func movies(in list: MovieList, language: String, page: Int) async throws -> Listing<Movie>
}
