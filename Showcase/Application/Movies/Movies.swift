public import CurlewScreens
public import Domain

/// The movies of a catalogue: what is in the cinemas, or what is liked best, in a language.
public typealias Movies = FilteredList<MovieFilter, Movie>

extension FilteredList where Filter == MovieFilter, Item == Movie {
  /// Lists the movies of a catalogue.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue.
  ///   - recent: Remembers those that were listed, for the screen that shows one.
  public init(
    catalogue: any MovieCatalogue, recent: RecentValues<MovieKey, Movie> = RecentValues()
  ) {
    self.init(MovieFilter()) { filter, page in
      let found = try await catalogue.movies(
        in: filter.list, language: filter.language, page: page)
      recent.remember(found.items) { MovieKey(id: $0.id, language: filter.language) }
      return found
    }
  }
}

/// A list of movies and a language.
public struct MovieFilter: ListFilter {
  /// A choice.
  public enum Change: Sendable {
    /// Another list.
    case list(MovieList)
    /// Another language by its code, such as `de-DE`.
    case language(String)
  }

  /// The languages to choose from, the usual one first.
  public static let languages: [(code: String, name: String)] = [
    ("en-US", "English"), ("de-DE", "Deutsch"), ("fr-FR", "Français"), ("ru-RU", "Русский"),
    ("ja-JP", "日本語"),
  ]

  /// The list.
  public private(set) var list = MovieList.nowPlaying
  /// The language of titles and descriptions.
  public private(set) var language = languages[0].code

  /// Creates the usual filter.
  public init() {}

  /// Applies a choice.
  public mutating func apply(_ change: Change) {
    switch change {
    case .list(let list): self.list = list
    case .language(let code):
      if Self.languages.contains(where: { $0.code == code }) { language = code }
    }
  }
}

extension MovieList {
  /// The list's name in an address: `now-playing`.
  public var slug: String { rawValue.replacing("_", with: "-") }

  /// Reads a list's name in an address.
  public init?(slug: String) {
    guard !slug.contains("_") else { return nil }
    self.init(rawValue: slug.replacing("-", with: "_"))
  }
}
