public import Curlew
public import Domain

/// The operations of TMDB's API that the showcase uses: both lists have one response type.
///
/// The key is not here: the client's `.apiKey` middleware adds it.
public enum TMDB: Endpoint {
  /// A page of the movies in the cinemas.
  case nowPlaying(language: String, page: Int)
  /// A page of the movies with the best votes.
  case topRated(language: String, page: Int)

  /// The request, with two movies as its sample, one of them with little data.
  public var request: Request<MoviesPayload> {
    switch self {
    case .nowPlaying(let language, let page): Self.list("now_playing", language, page)
    case .topRated(let language, let page): Self.list("top_rated", language, page)
    }
  }

  private static func list(
    _ name: String, _ language: String, _ page: Int
  ) -> Request<MoviesPayload> {
    .get("/3/movie/\(name)", query: ["language": language, "page": page])
      .sample(
        .json(
          """
          {"page": 1, "total_pages": 1, "total_results": 2, "results": [
            {"id": 1, "title": "The Long Way Home", "overview": "Somebody goes home.",
              "poster_path": "/home.jpg", "release_date": "2016-03-04", "vote_average": 7.4,
              "vote_count": 1204},
            {"id": 2, "title": "Untitled", "overview": null, "poster_path": null,
              "vote_average": 0, "vote_count": 0}]}
          """))
  }
}

extension TMDB {
  /// One movie at length.
  public static func movie(_ key: MovieKey) -> Request<MoviePayload> {
    .get("/3/movie/\(key.id)", query: ["language": key.language])
      .sample(
        .json(
          """
          {"id": 1, "title": "The Long Way Home", "original_title": "Der lange Weg",
            "tagline": "Somebody goes home.", "overview": "Somebody goes home.",
            "poster_path": "/home.jpg", "release_date": "2016-03-04", "runtime": 104,
            "genres": [{"id": 18, "name": "Drama"}], "homepage": "https://example.com/home",
            "vote_average": 7.4, "vote_count": 1204}
          """))
  }
}
