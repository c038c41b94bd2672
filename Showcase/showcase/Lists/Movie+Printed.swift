import Application
import Domain
import Foundation

extension Movie: Printed {
  static let noun = (one: "movie", many: "movies")

  /// TMDB serves at most 500 pages.
  static let most: Int? = 10_000

  static func columns(now: Date) -> [Column<Movie>] {
    [
      .word("YEAR") { MovieRow($0).year },
      .number("VOTE") { MovieRow($0).vote ?? "" },
      .text("TITLE", least: 20) { MovieRow($0).title },
      .text("OVERVIEW", least: 20) { MovieRow($0).overview }.faint,
    ]
  }

  static func json(_ movie: Movie) -> JSONObject {
    [
      "genres": movie.genres, "id": movie.id, "link": movie.link?.absoluteString,
      "originalTitle": movie.originalTitle, "overview": movie.overview,
      "poster": movie.poster?.absoluteString, "releaseDate": movie.releaseDate,
      "runtime": movie.runtime, "tagline": movie.tagline, "title": movie.title,
      "voteAverage": movie.voteAverage, "voteCount": movie.voteCount,
    ]
  }
}
