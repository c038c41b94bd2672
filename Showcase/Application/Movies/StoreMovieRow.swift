public import Domain
public import Foundation

/// The texts of a movie's card in a store.
public struct StoreMovieRow: Equatable, Sendable {
  /// The title; never empty.
  public let title: String
  /// The release date, such as `Release date: November 4, 2025`; empty if unknown.
  public let releaseDate: String
  /// The price: `14.99 USD`, `Not available for Purchase`, or `Price unknown`.
  public let price: String
  /// The rental price, such as `Rent for 5.99 USD`; empty if there is none.
  public let rental: String
  /// The genre.
  public let category: String
  /// The description, or `No data provided`.
  public let summary: String
  /// The cover image.
  public let image: URL?
  /// The URL of the movie's page in the store.
  public let link: URL?

  /// Creates the texts for a movie.
  public init(_ movie: StoreMovie) {
    let title = movie.title.trimmingCharacters(in: .whitespacesAndNewlines)
    self.title = title.isEmpty ? "(no title)" : title
    let date = movie.releaseDate.trimmingCharacters(in: .whitespacesAndNewlines)
    releaseDate = date.isEmpty ? "" : "Release date: \(date)"
    price =
      movie.amount.map { Self.price($0, movie.currency) ?? "Not available for Purchase" }
      ?? "Price unknown"
    let rent = movie.rentalPrice?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    rental = rent.isEmpty ? "" : "Rent for \(Self.price(rent, movie.currency) ?? rent)"
    category = movie.category
    let text = movie.summary?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    summary = text.isEmpty ? "No data provided" : text
    image = movie.image
    link = movie.link
  }

  /// Returns an amount with its currency; `nil` if it is not a number.
  private static func price(_ amount: String, _ currency: String) -> String? {
    // Only digits, because `Double` also accepts `nan`, `inf` and `0x1p3`.
    guard amount.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil, let number = Double(amount),
      number.isFinite
    else { return nil }
    return String(format: "%.2f", number) + (currency.isEmpty ? "" : " \(currency)")
  }
}
