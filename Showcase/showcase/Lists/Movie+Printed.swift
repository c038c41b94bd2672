import Application
import Domain
import Foundation

extension Movie: Printed {
  static let noun = (one: "movie", many: "movies")

  /// TMDB has no page after the 500th.
  static let most: Int? = 10_000

  static func columns(now: Date) -> [Column<Ranked<Movie>>] {
    [
      .word("YEAR") { MovieRow($0.item).year },
      .number("VOTE") { MovieRow($0.item).vote },
      .text("TITLE", least: 20) { MovieRow($0.item).title },
      .text("OVERVIEW", least: 20) { MovieRow($0.item).overview }.faint,
    ]
  }

  static func json(_ movie: Ranked<Movie>) -> JSONObject {
    [
      "id": movie.id, "overview": movie.overview, "poster": movie.poster?.absoluteString,
      "releaseDate": movie.releaseDate, "title": movie.title, "voteAverage": movie.voteAverage,
      "voteCount": movie.voteCount,
    ]
  }
}
