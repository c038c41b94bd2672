public import Domain
public import Foundation

/// A movie of a catalogue as a card shows it.
public struct MovieRow: Equatable, Sendable {
  /// The title; never empty.
  public let title: String
  /// `2026`, or nothing.
  public let year: String
  /// `7.4`, `–` when nobody has voted, and `nil` when that is not known.
  public let vote: String?
  /// The description; never empty.
  public let overview: String
  /// The poster.
  public let poster: URL?

  /// Describes a movie.
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
