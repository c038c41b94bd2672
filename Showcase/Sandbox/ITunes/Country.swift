/// A movie of the store.
struct StoreMovie: Decodable, Sendable {
  let title, artist, genre, studio: String
  /// The prices in cents of a dollar.
  let rent, price: Int
  /// The label in place of the price, for a movie that is only for rent.
  let priceLabel: String?
  /// The members that the feed omits.
  let without: [String]?
  /// The plot; empty or nil if there is none.
  let summary: String?
}

/// A country with a store, and its currency.
struct Country: Decodable, Sendable {
  let code: String
  /// The currency (ISO 4217).
  let currency: String
  /// The store's exchange rate: units of the currency per hundred dollars.
  let rate: Int
  let symbol: String

  static func named(_ code: String?) -> Country? {
    ITunes.file.countries.first { $0.code == code?.lowercased() }
  }

  /// The indices of the movies in the country's order.
  var chart: [Int] {
    let indices = Array(ITunes.file.movies.indices)
    guard code != "us" else { return indices }
    let ranks = indices.map { Choices(code).number("\($0)", below: .max) }
    return indices.sorted { ranks[$0] < ranks[$1] }
  }

  /// Converts US cents to an amount with five decimals and a formatted price.
  func price(_ cents: Int) -> (amount: String, label: String) {
    // Prices in stores end in .99, in all currencies.
    let units = max(1, (cents + 1) * rate / 10_000)
    return ("\(units - 1).99000", "\(symbol)\(units - 1).99")
  }
}
