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
      .sample(
        .json(
          """
          {"page": 1, "total_pages": 1, "results": [{"id": 1, "title": "A Movie",
            "overview": "Somebody goes home.", "release_date": "2026-01-31", "vote_average": 7.4,
            "vote_count": 1204}]}
          """))
  }

  /// Returns a request for a movie's details.
  public static func movie(_ key: MovieKey) -> Request<MoviePayload> {
    .get("/3/movie/\(key.id)", query: ["language": key.language])
  }
}
