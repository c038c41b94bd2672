public import Domain

/// What sells best in a store: a country and a number to choose, and a list.
public typealias TopMovies = FilteredList<StoreFilter, StoreMovie>

extension FilteredList where Filter == StoreFilter, Item == StoreMovie {
  /// Lists the movies of a store.
  public init(store: any MovieStore) {
    self.init(StoreFilter()) { filter, _ in
      try await store.topMovies(in: filter.country, limit: filter.limit)
    }
  }
}

/// A store's country and a number of movies.
public struct StoreFilter: ListFilter {
  /// A choice.
  public enum Change: Sendable {
    /// Another country by its code, such as `us`.
    case country(String)
    /// Another number of movies at most.
    case limit(Int)
  }

  /// The countries to choose from, the usual one first.
  public static let countries: [(code: String, name: String)] = [
    ("us", "United States"), ("gb", "United Kingdom"), ("de", "Germany"), ("fr", "France"),
    ("jp", "Japan"),
  ]
  /// The lengths to choose from.
  public static let limits = [10, 25, 50]

  /// The store's country.
  public private(set) var country = countries[0].code
  /// How many movies the list has at most.
  public private(set) var limit = limits[1]

  /// Creates the usual filter.
  public init() {}

  /// The name of the country.
  public var countryName: String {
    Self.countries.first { $0.code == country }?.name ?? country
  }

  /// Applies a choice.
  public mutating func apply(_ change: Change) {
    switch change {
    case .country(let code):
      if Self.countries.contains(where: { $0.code == code }) { country = code }
    case .limit(let number):
      if Self.limits.contains(number) { limit = number }
    }
  }
}
