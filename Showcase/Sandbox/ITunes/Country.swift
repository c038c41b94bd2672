/// A country that has a store, and how prices are written there.
struct Country: Sendable {
  let code: String
  /// The currency (ISO 4217).
  let currency: String
  /// How many units of the currency a hundred dollars are to the store.
  let rate: Int
  let symbol: String
  /// Whether the symbol follows the number, which then has a comma.
  var isTrailing = false
  /// Whether the currency has no smaller coins.
  var isWhole = false

  static func named(_ code: String) -> Country? { byCode[code.lowercased()] }

  /// The movies in the country's order; that of the United States is the order of writing.
  var chart: [StoreMovie] {
    guard code != "us" else { return StoreMovie.all }
    var dice = SplitMix(seed: Fingerprint(code.utf8).value)
    return dice.pick(StoreMovie.all.count, of: StoreMovie.all)
  }

  /// The price as an amount with five places and as people read it, from dollars' cents.
  func price(_ cents: Int) -> (amount: String, label: String) {
    // Stores like prices that end in .99, wherever they are.
    let units = max(1, (cents + 1) * rate / 10_000)
    if isWhole { return ("\(units).00000", "\(symbol)\(units)") }
    let (whole, rest) = (units * 100 - 1).quotientAndRemainder(dividingBy: 100)
    let label = isTrailing ? "\(whole),\(rest) \(symbol)" : "\(symbol)\(whole).\(rest)"
    return ("\(whole).\(rest)000", label)
  }

  private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

  private static let euro = [
    "de", "at", "fr", "it", "es", "nl", "be", "ie", "pt", "fi", "gr", "lu",
  ]

  private static let all =
    euro.map { code in
      Country(code: code, currency: "EUR", rate: 92, symbol: "€", isTrailing: code != "ie")
    } + [
      Country(code: "us", currency: "USD", rate: 100, symbol: "$"),
      Country(code: "gb", currency: "GBP", rate: 80, symbol: "£"),
      Country(code: "jp", currency: "JPY", rate: 14_900, symbol: "¥", isWhole: true),
      Country(code: "ca", currency: "CAD", rate: 134, symbol: "$"),
      Country(code: "au", currency: "AUD", rate: 150, symbol: "$"),
      Country(code: "nz", currency: "NZD", rate: 160, symbol: "$"),
      Country(code: "ch", currency: "CHF", rate: 100, symbol: "CHF "),
      Country(code: "se", currency: "SEK", rate: 1_040, symbol: "kr", isTrailing: true),
      Country(code: "no", currency: "NOK", rate: 1_050, symbol: "kr", isTrailing: true),
      Country(code: "dk", currency: "DKK", rate: 690, symbol: "kr", isTrailing: true),
      Country(code: "pl", currency: "PLN", rate: 400, symbol: "zł", isTrailing: true),
      Country(code: "mx", currency: "MXN", rate: 1_700, symbol: "$"),
      Country(code: "br", currency: "BRL", rate: 500, symbol: "R$", isTrailing: false),
      Country(code: "in", currency: "INR", rate: 8_300, symbol: "₹", isWhole: true),
    ]
}
