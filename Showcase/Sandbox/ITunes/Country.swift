/// A movie of the store.
struct StoreMovie: Decodable, Sendable {
  let title, artist, genre, studio: String
  /// The prices in cents of a dollar.
  let rent, price: Int
  /// What is there instead of the price of a movie that is only for rent.
  let priceLabel: String?
  /// The members that the feed leaves out.
  let without: [String]?
  /// What happens in it; empty or nil where nobody wrote it down.
  let summary: String?
}

/// A country that has a store, and its currency.
struct Country: Decodable, Sendable {
  let code: String
  /// The currency (ISO 4217).
  let currency: String
  /// How many units of the currency a hundred dollars are to the store.
  let rate: Int
  let symbol: String

  static func named(_ code: String?) -> Country? {
    ITunes.file.countries.first { $0.code == code?.lowercased() }
  }

  /// The indices of the movies in the country's order.
  var chart: [Int] {
    let indices = Array(ITunes.file.movies.indices)
    guard code != "us" else { return indices }
    var random = SeededGenerator(seed: stableHash(code.utf8))
    return random.pick(indices.count, of: indices)
  }

  /// Returns an amount with five decimals and a price as it is written, from dollars' cents.
  func price(_ cents: Int) -> (amount: String, label: String) {
    // Stores like prices that end in .99, wherever they are.
    let units = max(1, (cents + 1) * rate / 10_000)
    return ("\(units - 1).99000", "\(symbol)\(units - 1).99")
  }
}
