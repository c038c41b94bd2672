public import Curlew

/// The request to Apple's feeds.
public enum ITunes {
  /// Returns a request for the best-selling movies in a country (ISO 3166-1, such as `us`).
  public static func topMovies(
    country: String = "us", limit: Int = 25
  ) -> Request<TopMoviesPayload> {
    .get("/\(country)/rss/topmovies/limit=\(limit)/json")
  }
}
