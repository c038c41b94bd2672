public import Curlew

/// The request to Apple's feeds.
public enum ITunes {
  /// Returns a request for the best-selling movies in a country (ISO 3166-1, such as `us`).
  public static func topMovies(
    country: String = "us", limit: Int = 25
  ) -> Request<TopMoviesPayload> {
    .get("/\(country)/rss/topmovies/limit=\(limit)/json")
      .sample(
        .json(
          """
          {"feed": {"entry": [{"im:name": {"label": "A Movie"}, "id": {"label": "1"},
            "im:price": {"attributes": {"amount": "9.99", "currency": "USD"}},
            "category": {"attributes": {"label": "Drama"}}}]}}
          """))
  }
}
