public import Curlew

/// The operation of Apple's feeds that the showcase uses.
public enum ITunes {
  /// The movies that sell best in a country (ISO 3166-1: `us`).
  public static func topMovies(
    country: String = "us", limit: Int = 25
  ) -> Request<TopMoviesPayload> {
    .get("/\(country)/rss/topmovies/limit=\(limit)/json")
  }
}
