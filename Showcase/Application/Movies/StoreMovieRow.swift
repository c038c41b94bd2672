public import Domain
public import Foundation

/// A movie of a store as a card shows it.
public struct StoreMovieRow: Equatable, Sendable {
  /// The title in capitals.
  public let title: String
  /// `Release date: November 4, 2025`, or nothing.
  public let releaseDate: String
  /// `14.99 USD`, `Not available for Purchase`, or `Price unknown`.
  public let price: String
  /// `Rent for 5.99 USD`, or nothing.
  public let rental: String
  /// The genre.
  public let category: String
  /// The description, or `No data provided`.
  public let summary: String
  /// The cover.
  public let image: URL?
  /// The page in the store.
  public let link: URL?

  /// Describes a movie.
  public init(_ movie: StoreMovie) {
    title = movie.title.uppercased()
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

  /// Writes an amount with its currency; `nil` when it is no number.
  private static func price(_ amount: String, _ currency: String) -> String? {
    // Digits only: `Double` would take `nan`, `inf` and `0x1p3` for numbers, too.
    guard amount.wholeMatch(of: /[0-9]+(\.[0-9]+)?/) != nil, let number = Double(amount),
      number.isFinite
    else { return nil }
    return String(format: "%.2f", number) + (currency.isEmpty ? "" : " \(currency)")
  }
}
