import Curlew
import Domain
import Foundation

/// TMDB's JSON representation of a page of movies.
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

  /// The last known page.
  ///
  /// Without a total, a non-empty page is assumed to have a successor, if its number is known.
  var lastPage: Int {
    totalPages?.value
      ?? (results.elements.isEmpty ? 0 : page?.value.map { min($0, .max - 1) + 1 } ?? 0)
  }
}

/// TMDB's JSON representation of a movie; for little-known movies, many members are missing, null
/// or empty.
public struct MoviePayload: Decodable, Sendable {
  struct Genre: Decodable, Sendable {
    let name: String
  }

  let id: Int
  let title: String
  let overview: Lenient<String>?
  /// The poster's path, relative to the base URL of the images of a width; begins with a slash.
  let posterPath: Lenient<String>?
  let backdropPath: Lenient<String>?
  let releaseDate: Lenient<String>?
  /// From 0 to 10.
  let voteAverage: Lenient<Double>?
  let voteCount: Count?
  let originalTitle: Lenient<String>?
  let tagline: Lenient<String>?
  /// The running time in minutes; 0 if unknown.
  let runtime: Lenient<Int>?
  /// The genres; lists have identifiers instead of names, in another member.
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

  /// Returns the movie; `images` is the base URL of its images.
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
