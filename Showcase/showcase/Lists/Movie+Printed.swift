import Application
import CurlewTerminal
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

  /// Returns the values with their names; unknown values are empty.
  func facts(language: String) -> [Fact] {
    let facts = MovieFacts(self, language: language)
    return [
      ("Title", facts.title), ("Original", facts.originalTitle ?? ""),
      ("Released", facts.released ?? ""), ("Runtime", facts.runtime ?? ""),
      ("Genres", genres.joined(separator: ", ")), ("Rated", facts.rating ?? ""),
      ("Tagline", tagline ?? ""), ("Overview", facts.overview),
      ("Link", link?.absoluteString ?? ""),
    ]
  }
}
