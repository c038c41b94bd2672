public import CurlewScreens
public import Domain

/// The movies of a catalogue in a language: now playing, or top-rated.
public typealias Movies = FilteredList<MovieFilter, Movie>

extension FilteredList where Filter == MovieFilter, Item == Movie {
  /// Creates a list of a catalogue's movies.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue.
  ///   - recent: Stores the listed movies, for the detail screen.
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

/// The chosen list of movies and its language.
public struct MovieFilter: ListFilter {
  /// A change of the filter.
  public enum Change: Sendable {
    /// Chooses a list.
    case list(MovieList)
    /// Chooses a language by its code, such as `de-DE`.
    case language(String)
  }

  /// The supported languages; the first is the default.
  public static let languages: [(code: String, name: String)] = [
    ("en-US", "English"), ("de-DE", "Deutsch"), ("fr-FR", "Français"), ("ru-RU", "Русский"),
    ("ja-JP", "日本語"),
  ]

  /// The chosen list.
  public private(set) var list = MovieList.nowPlaying
  /// The language of titles and descriptions.
  public private(set) var language = languages[0].code

  /// Creates the default filter.
  public init() {}

  /// Applies a change; ignores an unsupported language.
  public mutating func apply(_ change: Change) {
    switch change {
    case .list(let list): self.list = list
    case .language(let code):
      if Self.languages.contains(where: { $0.code == code }) { language = code }
    }
  }
}

extension MovieList {
  /// The list's name in a URL, such as `now-playing`.
  public var slug: String { rawValue.replacing("_", with: "-") }

  /// Creates a list from its name in a URL.
  public init?(slug: String) {
    guard !slug.contains("_") else { return nil }
    self.init(rawValue: slug.replacing("-", with: "_"))
  }
}
