import Application
import CurlewTerminal
import Domain
import Foundation

extension StoreMovie: Printed {
  static let noun = (one: "top movie", many: "top movies")

  static func columns(now: Date) -> [Column<StoreMovie>] {
    [
      .count("#") { $0.rank },
      .text("TITLE", least: 20) { StoreMovieRow($0).title },
      .text("PRICE", least: 14) { StoreMovieRow($0).price },
      .word("RELEASE") { StoreMovieRow($0).releaseDate },
      .text("CATEGORY", least: 8) { StoreMovieRow($0).category }.faint,
    ]
  }

  static func json(_ movie: StoreMovie) -> JSONObject {
    [
      "amount": movie.amount, "category": movie.category, "currency": movie.currency,
      "id": movie.id, "image": movie.image?.absoluteString, "link": movie.link?.absoluteString,
      "rank": movie.rank, "releaseDate": movie.releaseDate, "rentalPrice": movie.rentalPrice,
      "summary": movie.summary, "title": movie.title,
    ]
  }
}
