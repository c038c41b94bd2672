public import Curlew
public import Domain

/// The operations of TMDB's API that the showcase uses.
///
/// The key is not here: the client's `.apiKey` middleware adds it.
public enum TMDB {
  /// A page of a list.
  public static func movies(
    in list: MovieList, language: String, page: Int
  ) -> Request<MoviesPayload> {
    .get("/3/movie/\(list.rawValue)", query: ["language": language, "page": page])
  }

  /// One movie at length.
  public static func movie(_ key: MovieKey) -> Request<MoviePayload> {
    .get("/3/movie/\(key.id)", query: ["language": key.language])
  }
}
