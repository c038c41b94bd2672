public import Foundation

/// A movie in a store.
public struct StoreMovie: Hashable, Sendable, Identifiable {
  /// The store's identifier of the movie.
  public let id: String
  /// The rank in the store's list, from 1.
  public let rank: Int
  /// The title.
  public let title: String
  /// The URL of the largest available cover.
  public let image: URL?
  /// The release date as text from the store, such as `March 4, 2016`; empty if unknown.
  public let releaseDate: String
  /// The price as text from the store; a word such as `Get` if the movie is not for sale, and `nil`
  /// if the price is unknown.
  public let amount: String?
  /// The currency of the amount (ISO 4217); empty if unknown.
  public let currency: String
  /// The rental price in the format of ``amount``, or as text if the store sends only a text; `nil`
  /// if the movie is not for rent.
  public let rentalPrice: String?
  /// The genre.
  public let category: String
  /// The URL of the movie's page in the store.
  public let link: URL?
  /// The description; `nil` if the store sends none.
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
  /// Returns the best-selling movies in a country (ISO 3166-1, such as `us`), at most `limit`.
  func topMovies(in country: String, limit: Int) async throws -> Listing<StoreMovie>
}
