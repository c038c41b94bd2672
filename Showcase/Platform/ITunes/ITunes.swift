public import Curlew

/// The operation of Apple's feeds that the showcase uses.
public enum ITunes {
  /// The movies that sell best in a country (ISO 3166-1: `us`).
  public static func topMovies(
    country: String = "us", limit: Int = 25
  ) -> Request<TopMoviesPayload> {
    .get("/\(country)/rss/topmovies/limit=\(limit)/json")
      .sample(
        .json(
          """
          {"feed": {"entry": [
            {"im:name": {"label": "The Long Way Home"},
              "im:image": [
                {"label": "https://example.com/60.jpg", "attributes": {"height": "60"}},
                {"label": "https://example.com/170.jpg", "attributes": {"height": "170"}}],
              "summary": {"label": "Somebody goes home."},
              "im:price": {"label": "$14.99",
                "attributes": {"amount": "14.99000", "currency": "USD"}},
              "im:rentalPrice": {"label": "$4.99",
                "attributes": {"amount": "4.99000", "currency": "USD"}},
              "link": {"attributes": {"rel": "alternate", "href": "https://example.com/1"}},
              "id": {"label": "https://example.com/1", "attributes": {"im:id": "1"}},
              "category": {"attributes": {"label": "Drama"}},
              "im:releaseDate": {"attributes": {"label": "March 4, 2016"}}}]}}
          """))
  }
}
