import Application
import Domain
import Foundation

extension Movie: Printed {
  static let noun = (one: "movie", many: "movies")

  /// TMDB has no page after the 500th.
  static let most: Int? = 10_000

  static func table(of list: Loaded<Movie>, isColoured: Bool, now: Date) -> Table {
    Table(
      columns: [
        Table.Column("YEAR", rank: 2),
        Table.Column("VOTE", alignment: .right),
        Table.Column("TITLE", minimum: 20, maximum: 50),
        Table.Column("OVERVIEW", minimum: 20, maximum: 80, rank: 1),
      ],
      rows: list.items.map { movie in
        let row = MovieRow(movie)
        return [Cell(row.year), Cell(row.vote ?? ""), Cell(row.title), Cell(row.overview, .faint)]
      })
  }

  static func documents(of list: Loaded<Movie>) -> [MovieDocument] {
    list.items.map(MovieDocument.init)
  }
}

/// A movie of a catalogue as scripts get it.
struct MovieDocument: Encodable {
  let id: Int
  let overview: String
  @OrNull var poster: String?
  let releaseDate: String
  let title: String
  @OrNull var voteAverage: Double?
  @OrNull var voteCount: Int?

  init(_ movie: Movie) {
    id = movie.id
    overview = movie.overview
    poster = movie.poster?.absoluteString
    releaseDate = movie.releaseDate
    title = movie.title
    voteAverage = movie.voteAverage
    voteCount = movie.voteCount
  }
}
