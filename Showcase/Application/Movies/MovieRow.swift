public import Domain
public import Foundation

/// The texts of a movie's card in a catalogue.
public struct MovieRow: Equatable, Sendable {
  /// The title; never empty.
  public let title: String
  /// The year, such as `2026`; empty if unknown.
  public let year: String
  /// The rating, such as `7.4`; `–` without votes, and `nil` if unknown.
  public let vote: String?
  /// The description; never empty.
  public let overview: String
  /// The poster.
  public let poster: URL?

  /// Creates the texts for a movie.
  public init(_ movie: Movie) {
    let title = movie.title.trimmingCharacters(in: .whitespacesAndNewlines)
    self.title = title.isEmpty ? "(no title)" : title
    let year = movie.releaseDate.prefix { $0 != "-" }
    let isYear = year.count == 4 && year.allSatisfy { $0.isASCII && $0.isNumber }
    self.year = isYear ? String(year) : ""
    vote = movie.voteCount.flatMap { count in
      count > 0 ? movie.voteAverage.map { String(format: "%.1f", $0) } : "–"
    }
    let overview = movie.overview.trimmingCharacters(in: .whitespacesAndNewlines)
    self.overview = overview.isEmpty ? "No description." : overview
    poster = movie.poster
  }
}
