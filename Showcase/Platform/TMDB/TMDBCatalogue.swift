public import Curlew
public import Domain

/// TMDB as a catalogue of movies.
public struct TMDBCatalogue: MovieCatalogue {
  /// The last page that TMDB serves, regardless of the total that it reports.
  private static let lastPage = 500

  private let client: Client
  private let images: String

  /// Creates a catalogue.
  ///
  /// The client's base URL is `https://api.themoviedb.org`, and its middleware adds the key:
  /// `.apiKey(key, query: "api_key")`.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - images: The base URL of TMDB's images, with one folder for each width.
  public init(client: Client, images: String = "https://image.tmdb.org/t/p") {
    self.client = client
    self.images = images
  }

  /// Requests a movie; only a 404 response means that it doesn't exist.
  public func movie(_ key: MovieKey) async throws -> Movie? {
    guard let response = try await client.found(TMDB.movie(key)) else { return nil }
    var movie = response.value.movie(images: images)
    movie.asOf = response.asOf
    return movie
  }

  /// Requests a page of a list.
  public func movies(
    in list: MovieList, language: String, page: Int
  ) async throws -> Listing<Movie> {
    let response = try await client.response(
      for: TMDB.movies(in: list, language: language, page: page))
    let payload = response.value
    let total = payload.totalResults?.value
    // A recording may contain only the first page, which would otherwise repeat forever.
    guard page == 1 || payload.page?.value ?? page == page else { return Listing([], total: total) }
    return Listing(
      payload.results.elements.map { $0.movie(images: images) },
      nextPage: page < min(payload.lastPage, Self.lastPage) ? page + 1 : nil,
      total: total, damaged: payload.results.damaged, asOf: response.asOf)
  }
}
