import Domain
import Foundation

/// A page of movies as TMDB sends it.
public struct MoviesPayload: Decodable, Sendable {
  let page: Int
  let results: [MoviePayload]
  let totalPages: Int
  let totalResults: Int

  private enum CodingKeys: String, CodingKey {
    case page, results
    case totalPages = "total_pages"
    case totalResults = "total_results"
  }
}

/// A movie as TMDB sends it: of one that is hardly known, much is missing, null or empty.
struct MoviePayload: Decodable, Sendable {
  let id: Int
  let title: String
  let overview: String?
  /// The poster's place below that of all images in a width; begins with a slash.
  let posterPath: String?
  let releaseDate: String?
  let voteAverage: Double?
  let voteCount: Int?

  private enum CodingKeys: String, CodingKey {
    case id, title, overview
    case posterPath = "poster_path"
    case releaseDate = "release_date"
    case voteAverage = "vote_average"
    case voteCount = "vote_count"
  }

  /// The movie with its poster at a URL.
  func movie(images: String) -> Movie {
    let poster = posterPath.flatMap { $0.isEmpty ? nil : URL(string: "\(images)/w342\($0)") }
    return Movie(
      id: id, title: title, poster: poster, releaseDate: releaseDate ?? "",
      voteAverage: voteAverage ?? 0, voteCount: voteCount ?? 0, overview: overview ?? "")
  }
}
