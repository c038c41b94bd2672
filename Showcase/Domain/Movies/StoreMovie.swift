public import Foundation

/// A movie in a store.
public struct StoreMovie: Hashable, Sendable, Identifiable {
  /// The store's identifier of the movie.
  public let id: String
  /// The rank in the store's list, from 1.
  public let rank: Int
  /// The title.
  public let title: String
  /// The largest cover that the store has.
  public let image: URL?
  /// The release date as the store writes it, such as `March 4, 2016`; empty when it is not known.
  public let releaseDate: String
  /// The price as the store writes the number; another text, such as `Get`, where the movie is not
  /// for sale, and `nil` when the price is not known.
  public let amount: String?
  /// The currency of the amount (ISO 4217); empty when it is not known.
  public let currency: String
  /// The price of renting it, as ``amount``, or as a text where the store has only that; `nil` where
  /// it is not for rent.
  public let rentalPrice: String?
  /// The genre.
  public let category: String
  /// The page in the store.
  public let link: URL?
  /// The description; `nil` where the store has none.
  public let summary: String?

  /// Creates a movie.
  public init(
    id: String, rank: Int, title: String, image: URL?, releaseDate: String, amount: String?,
    currency: String, rentalPrice: String?, category: String, link: URL?, summary: String?
  ) {
    self.id = id
    self.rank = rank
    self.title = title
    self.image = image
    self.releaseDate = releaseDate
    self.amount = amount
    self.currency = currency
    self.rentalPrice = rentalPrice
    self.category = category
    self.link = link
    self.summary = summary
  }
}

/// A store that sells movies.
public protocol MovieStore: Sendable {
  /// Returns what sells best in a country (ISO 3166-1: `us`), at most `limit` movies.
  func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie>
}
