import Foundation
import HTTPTypes
import Hummingbird

/// A simulation of api.themoviedb.org: the movies now in cinemas, and the top-rated movies.
struct TMDB: Site {
  private static let routes = [
    Route("/3/movie/now_playing", TMDB.nowPlaying),
    Route("/3/movie/top_rated", TMDB.topRated),
    Route("/3/movie/:id", TMDB.movie),
  ]

  /// The web pages, which need no key.
  private static let pages = [Route("/movies/:id", TMDB.page)]

  private static let playing = Movie.all.prefix(137).sorted { $0.popularity > $1.popularity }
  /// A few of these movies are also in cinemas.
  private static let best = Movie.all.dropFirst(117).sorted {
    ($1.average, $0.id) < ($0.average, $1.id)
  }

  /// The reference date for the movies' ages.
  let now: Date

  func response(to request: SiteRequest) -> Response {
    if let page = response(to: request, Self.pages) { return page }
    guard request.query["api_key"] == Sandbox.tmdbKey else {
      return Self.error(
        .unauthorized, 7, "Invalid API key: You must be granted a valid key.")
    }
    return response(to: request, Self.routes)
      ?? Self.missing
  }

  private func nowPlaying(_ request: SiteRequest) throws(Response) -> Response {
    let minimum = Movie.day(now.addingTimeInterval(-45 * 86_400))
    let dates: JSON = ["maximum": .string(Movie.day(now)), "minimum": .string(minimum)]
    return try page(of: Self.playing, request, ["dates": dates])
  }

  private func topRated(_ request: SiteRequest) throws(Response) -> Response {
    try page(of: Self.best, request)
  }

  private func movie(_ request: SiteRequest) throws(Response) -> Response {
    let language = Language.named(request.query["language"])
    return .json(try found(request).detail(in: language, home: request.home, now: now))
      .with(Self.fields)
  }

  private func page(_ request: SiteRequest) throws(Response) -> Response {
    try found(request).page(now: now).response
  }

  private func found(_ request: SiteRequest) throws(Response) -> Movie {
    guard let movie = request.parameters["id"].flatMap({ Int($0) }).flatMap({ Movie.byID[$0] })
    else { throw Self.missing }
    return movie
  }

  private static var missing: Response {
    error(.notFound, 34, "The resource you requested could not be found.")
  }

  private static let fields = [
    "Cache-Control": "public, max-age=300", "Vary": "Accept-Encoding",
  ]

  private func page(
    of movies: [Movie], _ request: SiteRequest, _ more: [String: JSON] = [:]
  ) throws(Response) -> Response {
    guard let page = Int(request.query["page"] ?? "1"), (1...500).contains(page) else {
      let message =
        "Invalid page: Pages start at 1 and max at 500. They are expected to be an integer."
      throw Self.error(.badRequest, 22, message)
    }
    let paging = Paging(page: page, perPage: 20, total: movies.count)
    let language = Language.named(request.query["language"])
    let results = movies[paging.range].map { $0.json(in: language, now: now) }
    let body: JSON = [
      "page": .int(page), "results": .array(results), "total_pages": .int(paging.pages),
      "total_results": .int(movies.count),
    ]
    return .json(body.changed(by: Change(set: more))).with(Self.fields)
  }

  /// Creates an error in TMDB's format: its own status code, a message, and `success`.
  private static func error(
    _ status: HTTPResponse.Status, _ code: Int, _ message: String
  ) -> Response {
    .json(
      ["status_code": .int(code), "status_message": .string(message), "success": false],
      status: status)
  }
}
