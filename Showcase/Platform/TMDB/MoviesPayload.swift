import Curlew
import Domain
import Foundation

/// A page of movies as TMDB sends it.
public struct MoviesPayload: Decodable, Sendable {
  let page: Lenient<Int>?
  let results: LossyList<MoviePayload>
  let totalPages: Count?
  let totalResults: Count?

  private enum CodingKeys: String, CodingKey {
    case page, results
    case totalPages = "total_pages"
    case totalResults = "total_results"
  }

  /// The last page as far as it is known: without a total, a page with movies may be followed by
  /// another, unless nothing says which page this is.
  var lastPage: Int {
    totalPages?.value
      ?? (results.elements.isEmpty ? 0 : page?.value.map { min($0, .max - 1) + 1 } ?? 0)
  }
}

/// A movie as TMDB sends it; much of a little known one is missing, null or empty.
public struct MoviePayload: Decodable, Sendable {
  struct Genre: Decodable, Sendable {
    let name: String
  }

  let id: Int
  let title: String
  let overview: Lenient<String>?
  /// The poster's path below the URL of all images of a width; begins with a slash.
  let posterPath: Lenient<String>?
  let backdropPath: Lenient<String>?
  let releaseDate: Lenient<String>?
  /// From 0 to 10.
  let voteAverage: Lenient<Double>?
  let voteCount: Count?
  let originalTitle: Lenient<String>?
  let tagline: Lenient<String>?
  /// In minutes; 0 where it is not known.
  let runtime: Lenient<Int>?
  /// Lists have numbers instead of names, by another key.
  let genres: Lenient<LossyList<Genre>>?
  let homepage: Lenient<String>?

  private enum CodingKeys: String, CodingKey {
    case id, title, overview, tagline, runtime, genres, homepage
    case originalTitle = "original_title"
    case posterPath = "poster_path"
    case backdropPath = "backdrop_path"
    case releaseDate = "release_date"
    case voteAverage = "vote_average"
    case voteCount = "vote_count"
  }

  /// The movie; its pictures are below a URL.
  func movie(images: String) -> Movie {
    let image = { (path: Lenient<String>?, width: Int) -> URL? in
      guard let path = path?.value, path.hasPrefix("/") else { return nil }
      return URL(string: "\(images)/w\(width)\(path)")
    }
    let vote = voteAverage?.value.flatMap { (0...10).contains($0) ? $0 : nil }
    return Movie(
      id: id, title: title, poster: image(posterPath, 342),
      backdrop: image(backdropPath, 780), releaseDate: releaseDate?.value ?? "",
      voteAverage: vote, voteCount: voteCount?.value, overview: overview?.value ?? "",
      originalTitle: originalTitle?.value?.unlessBlank, tagline: tagline?.value?.unlessBlank,
      runtime: runtime?.value.flatMap { $0 > 0 ? $0 : nil },
      genres: genres?.value?.elements.map(\.name) ?? [],
      link: homepage?.value?.unlessBlank.flatMap { URL(string: $0) })
  }
}

extension String {
  fileprivate var unlessBlank: String? { contains { !$0.isWhitespace } ? self : nil }
}
