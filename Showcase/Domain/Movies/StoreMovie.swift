public import Foundation

/// A movie as a store sells it.
public struct StoreMovie: Equatable, Sendable, Identifiable {
  /// What the store tells it apart by.
  public let id: String
  /// Its rank in the store's list, from 1.
  public let rank: Int
  /// What it is called.
  public let title: String
  /// Its cover, as large as the store has it.
  public let image: URL?
  /// The day on which it came out, in words; empty when that is not known.
  public let releaseDate: String
  /// What it costs, as the store writes the number; not a number where it is not for sale.
  public let amount: String
  /// The currency of the amount (ISO 4217).
  public let currency: String
  /// What it costs to rent, in the store's words; `nil` where it is not for rent.
  public let rentalPrice: String?
  /// What kind of movie it is.
  public let category: String
  /// Its page in the store.
  public let link: URL?
  /// What happens in it; `nil` where the store doesn't say.
  public let summary: String?

  /// Creates a movie.
  public init(
    id: String, rank: Int, title: String, image: URL?, releaseDate: String, amount: String,
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
  /// Lists what sells best in a country (ISO 3166-1: `us`), at most `limit` movies.
  func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie>
}
