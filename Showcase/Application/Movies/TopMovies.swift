public import Domain

/// The best-selling movies of a store, with a choice of the country and the number of movies.
public typealias TopMovies = FilteredList<StoreFilter, StoreMovie>

extension FilteredList where Filter == StoreFilter, Item == StoreMovie {
  /// Creates a list of a store's movies.
  public init(store: any MovieStore) {
    self.init(StoreFilter()) { filter, _ in
      try await store.topMovies(in: filter.country, limit: filter.limit)
    }
  }
}

/// The chosen country of the store and the maximum number of movies.
public struct StoreFilter: ListFilter {
  /// A change of the filter.
  public enum Change: Sendable {
    /// Chooses a country by its code, such as `us`.
    case country(String)
    /// Chooses the maximum number of movies.
    case limit(Int)
  }

  /// The supported countries; the first is the default.
  public static let countries: [(code: String, name: String)] = [
    ("us", "United States"), ("gb", "United Kingdom"), ("de", "Germany"), ("fr", "France"),
    ("jp", "Japan"),
  ]
  /// The supported maximum numbers of movies.
  public static let limits = [10, 25, 50]

  /// The store's country.
  public private(set) var country = countries[0].code
  /// The maximum number of movies.
  public private(set) var limit = limits[1]

  /// Creates the default filter.
  public init() {}

  /// The name of the country.
  public var countryName: String {
    Self.countries.first { $0.code == country }?.name ?? country
  }

  /// Applies a change; ignores unsupported values.
  public mutating func apply(_ change: Change) {
    switch change {
    case .country(let code):
      if Self.countries.contains(where: { $0.code == code }) { country = code }
    case .limit(let number):
      if Self.limits.contains(number) { limit = number }
    }
  }
}
