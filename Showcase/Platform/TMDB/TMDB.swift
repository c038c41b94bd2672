public import Curlew
public import Domain

/// The requests to TMDB's API.
///
/// They don't contain the key: the client's `.apiKey` middleware adds it.
public enum TMDB {
  /// Returns a request for a page of a list.
  public static func movies(
    in list: MovieList, language: String, page: Int
  ) -> Request<MoviesPayload> {
    .get("/3/movie/\(list.rawValue)", query: ["language": language, "page": page])
  }

  /// Returns a request for a movie's details.
  public static func movie(_ key: MovieKey) -> Request<MoviePayload> {
    .get("/3/movie/\(key.id)", query: ["language": key.language])
  }
}
