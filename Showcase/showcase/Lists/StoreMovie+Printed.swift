import Application
import Domain
import Foundation

extension StoreMovie: Printed {
  static let noun = (one: "top movie", many: "top movies")

  static func table(of list: Loaded<StoreMovie>, isColoured: Bool, now: Date) -> Table {
    Table(
      columns: [
        Table.Column("#", alignment: .right),
        Table.Column("TITLE", minimum: 20, maximum: 60),
        Table.Column("PRICE", minimum: 14, rank: 3),
        Table.Column("RELEASE", rank: 2),
        Table.Column("CATEGORY", minimum: 8, rank: 1),
      ],
      rows: list.items.map { movie in
        let row = StoreMovieRow(movie)
        return [
          Cell("\(movie.rank)"), Cell(row.title), Cell(row.price), Cell(row.releaseDate),
          Cell(row.category, .faint),
        ]
      })
  }

  static func documents(of list: Loaded<StoreMovie>) -> [StoreMovieDocument] {
    list.items.map(StoreMovieDocument.init)
  }
}

/// A movie of a store as scripts get it.
struct StoreMovieDocument: Encodable {
  let amount: String
  let category: String
  let currency: String
  let id: String
  @OrNull var image: String?
  @OrNull var link: String?
  let rank: Int
  let releaseDate: String
  @OrNull var rentalPrice: String?
  @OrNull var summary: String?
  let title: String

  init(_ movie: StoreMovie) {
    amount = movie.amount
    category = movie.category
    currency = movie.currency
    id = movie.id
    image = movie.image?.absoluteString
    link = movie.link?.absoluteString
    rank = movie.rank
    releaseDate = movie.releaseDate
    rentalPrice = movie.rentalPrice
    summary = movie.summary
    title = movie.title
  }
}
