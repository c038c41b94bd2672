public import CurlewScreens
public import Domain
import Foundation

/// Where a user can be in the showcase.
public enum Place: Route {
  /// The open issues of a repository, or the empty field.
  case issues(RepositoryName?)
  /// The repositories of a language, or the empty field.
  case repositories(language: String?)
  /// One repository at length.
  case repository(RepositoryName)
  /// A list of movies.
  case movies(MovieList)
  /// What sells best in a store's country.
  case topMovies(country: String?)
  /// The dogs.
  case dogs

  /// `/repositories/apple/swift`.
  public var address: String {
    switch self {
    case .issues(let name): Self.address("/issues", "q", name?.description)
    case .repositories(let language): Self.address("/repositories", "language", language)
    case .repository(let name): "/repositories/\(name)"
    case .movies(let list): "/movies/\(list.slug)"
    case .topMovies(let country): Self.address("/itunes", "country", country)
    case .dogs: "/dogs"
    }
  }

  /// Reads an address; what it doesn't know of a query is left out.
  public init?(address: String) {
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = parts.count == 2 ? String(parts[1]) : ""
    let value = { (name: String) in Self.value(of: name, in: query) }
    let segments = parts[0].split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
    switch (segments.first, segments.count) {
    case ("issues", 1): self = .issues(value("q").flatMap { RepositoryName($0) })
    case ("repositories", 1): self = .repositories(language: value("language"))
    case ("repositories", 3):
      guard let name = RepositoryName(owner: segments[1], name: segments[2]) else { return nil }
      self = .repository(name)
    case ("movies", 2):
      guard let list = MovieList(slug: segments[1]) else { return nil }
      self = .movies(list)
    case ("itunes", 1): self = .topMovies(country: value("country"))
    case ("dogs", 1): self = .dogs
    default: return nil
    }
  }

  private static func address(_ path: String, _ name: String, _ value: String?) -> String {
    // As little is encoded as may be (RFC 3986 section 3.4).
    let kept = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:")
    let encoded = value?.addingPercentEncoding(withAllowedCharacters: kept)
    return encoded.map { "\(path)?\(name)=\($0)" } ?? path
  }

  private static func value(of name: String, in query: String) -> String? {
    for item in query.split(separator: "&") where item.hasPrefix(name + "=") {
      let value = item.dropFirst(name.count + 1).replacing("+", with: " ")
      return value.removingPercentEncoding.flatMap { $0.isEmpty ? nil : $0 }
    }
    return nil
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
