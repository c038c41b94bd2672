import HTTPTypes
import Hummingbird
import NIOCore

/// The images that responses link to, drawn on demand.
struct Images: Site {
  private static let routes = [
    Route("/avatars/u/:id.svg", Images.avatar),
    Route("/t/p/:size/:file.svg", Images.still),
    Route("/covers/:id/:height.svg", Images.cover),
    Route("/dogs/pictures/:id.svg", Images.dog),
    Route("/page.css", Images.styles),
  ]

  private static let notFound = Response.text("no such picture", status: .notFound)

  func response(to request: SiteRequest) -> Response {
    response(to: request, Self.routes) ?? Self.notFound
  }

  /// Returns a user's avatar; a vector image fits any size, so the query's `s` is ignored.
  private func avatar(_ request: SiteRequest) throws(Response) -> Response {
    try image(number("id", request).map { Drawing.avatar($0) })
  }

  /// Returns a movie's poster or wide image in one of TMDB's sizes, such as `w342` or `original`.
  private func still(_ request: SiteRequest) throws(Response) -> Response {
    let size = request.parameters["size"] ?? ""
    let id = request.parameters["file"]?.split(separator: "-").last.flatMap { Int($0) }
    guard let width = size == "original" ? 2_000 : size.first == "w" ? Int(size.dropFirst()) : nil,
      (1...4_000).contains(width), let movie = Movie.byID[id ?? 0]
    else { return try image(nil) }
    let isWide = request.parameters["file"]?.contains("-wide-") == true
    return try image(
      isWide
        ? Drawing.backdrop(movie.id, width: width)
        : Drawing.poster(movie.id, width: width, height: width * 3 / 2))
  }

  private func cover(_ request: SiteRequest) throws(Response) -> Response {
    let movies = ITunes.file.movies
    guard let height = number("height", request), (1...4_000).contains(height),
      let index = movies.indices.first(where: { "\(ITunes.id($0))" == request.parameters["id"] })
    else { return try image(nil) }
    return try image(Drawing.poster(index, width: height * 2 / 3, height: height))
  }

  private func dog(_ request: SiteRequest) throws(Response) -> Response {
    try image(Breed.byID[request.parameters["id"] ?? ""].map { Drawing.dog($0) })
  }

  /// Returns the style sheet of the sandbox's pages.
  private func styles(_ request: SiteRequest) throws(Response) -> Response {
    Response(.ok, "text/css; charset=utf-8", ByteBuffer(bytes: PackageResources.page_css))
      .with(["X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=3600"])
  }

  private func number(_ name: String, _ request: SiteRequest) -> Int? {
    request.parameters[name].flatMap { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
  }

  private func image(_ svg: String?) throws(Response) -> Response {
    guard let svg else { throw Self.notFound }
    return Response(.ok, "image/svg+xml", ByteBuffer(string: svg)).with([
      "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
      "Cache-Control": "public, max-age=86400",
    ])
  }
}
