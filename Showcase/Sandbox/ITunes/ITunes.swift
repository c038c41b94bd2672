import Foundation
import Hummingbird

/// A simulation of the feeds at itunes.apple.com: the top movies of a country.
struct ITunes: Site {
  private static let routes = [
    Route("/:country/rss/topmovies/json", ITunes.topMovies),
    Route("/:country/rss/topmovies/limit=:limit/json", ITunes.topMovies),
    Route("/:country/movie/:title/id:id", ITunes.moviePage),
  ]

  /// The contents of `itunes.json`.
  struct File: Decodable, Sendable {
    let countries: [Country]
    /// The store's identifiers of the genres.
    let genres: [String: Int]
    /// The movies in the order of the United States' chart.
    let movies: [StoreMovie]
    /// The templates of documents, with `<name>` placeholders.
    let feed, entry: JSON
  }

  static let file = decodeResource(PackageResources.itunes_json, as: File.self)

  /// The reference date for the movies' ages.
  let now: Date

  func response(to request: SiteRequest) -> Response {
    response(to: request, Self.routes) ?? .text("Not Found", status: .notFound)
  }

  private func moviePage(_ request: SiteRequest) throws(Response) -> Response {
    let movies = Self.file.movies
    guard let index = movies.indices.first(where: { "\(Self.id($0))" == request.parameters["id"] })
    else { throw .text("Not Found", status: .notFound) }
    let movie = movies[index]
    return WebPage(
      kind: "Movie in a store", title: movie.title, text: movie.summary ?? "No description.",
      picture: "/covers/\(Self.id(index))/170.svg", hasPoster: true,
      facts: [("By", movie.artist), ("Genre", movie.genre), ("Studio", movie.studio)],
      data: "/us/rss/topmovies/limit=100/json"
    ).response
  }

  private func topMovies(_ request: SiteRequest) throws(Response) -> Response {
    guard let country = Country.named(request.parameters["country"]) else {
      throw .text("Bad Request: there is no store in this country", status: .badRequest)
    }
    // Apple ignores a limit that is not a number.
    let limit = Int(request.parameters["limit"] ?? "") ?? 10
    let whole = country.chart.prefix(min(max(limit, 1), 100)).map {
      entry($0, in: country, home: request.home)
    }
    let entries = Self.damaged(whole, count: request.options.damagedEntries)
    let feed = Self.file.feed.filled([
      "home": .string(request.home), "address": .string(request.home + request.path),
      "country": .string(country.code), "updated": .string(now.formatted(.iso8601)),
      // Apple converts its feeds from XML, where a list with one item can't be distinguished from
      // the item.
      "entries": entries.count == 1 ? entries[0] : .array(entries),
    ])
    // A damaged response must not remain in caches after the option is reset.
    let isWhole = request.options.damagedEntries == 0
    return .json(["feed": feed]).with([
      "Content-Type": "application/json;charset=utf-8",
      "Cache-Control": isWhole ? "public, max-age=600" : "no-store",
    ])
  }

  static func id(_ index: Int) -> Int { 1_400_118_203 + index * 7_919 }

  /// Returns the entry of a movie; some entries lack members.
  private func entry(_ index: Int, in country: Country, home: String) -> JSON {
    let movie = Self.file.movies[index]
    // The newest movie is six weeks old, the oldest are some years old.
    let age = 42 + index * (index * 2 + 9)
    let released = now.addingTimeInterval(-86_400 * Double(age))
    let day = released.formatted(.iso8601.year().month().day())
    let english = Date.FormatStyle(
      date: .long, time: .omitted, locale: Locale(identifier: "en_US"), timeZone: .gmt)
    let (rent, price) = (country.price(movie.rent), country.price(movie.price))
    let slug = movie.title.slug
    return Self.file.entry.filled([
      "home": .string(home), "country": .string(country.code), "id": .string("\(Self.id(index))"),
      "title": .string(movie.title), "artist": .string(movie.artist),
      "summary": JSON(movie.summary), "slug": .string(slug.isEmpty ? "movie" : slug),
      "genre": .string(movie.genre), "genreSlug": .string(movie.genre.slug),
      "genreID": .string("\(Self.file.genres[movie.genre] ?? 0)"),
      "studio": .string(movie.studio),
      "year": .string(String(day.prefix(4))), "day": .string(day),
      "date": .string(released.formatted(english)),
      "duration": .int(90_000 + index * 1_733), "currency": .string(country.currency),
      "price": .string(movie.priceLabel ?? price.label),
      "priceAmount": .string(movie.priceLabel ?? price.amount),
      "rent": .string(rent.label), "rentAmount": .string(rent.amount),
    ]).changed(by: Change(without: movie.without))
  }
}

extension ITunes {
  /// Damages `count` entries, spread over the list; the first entry only if all are damaged.
  private static func damaged(_ entries: [JSON], count: Int) -> [JSON] {
    // In the last case, a string replaces the entry.
    let omissions = [
      Change(without: ["im:name"]), Change(set: ["im:price": "$14.99"]), Change(isNull: true),
      Change(set: ["im:name": ["label": 7]]), Change(set: ["id": .array([])]), nil,
    ]
    let rest = entries.count - 1
    let indices =
      count < entries.count
      ? (0..<count).map { 1 + (2 * $0 + 1) * rest / (2 * count) } : Array(entries.indices)
    var entries = entries
    for (number, index) in indices.enumerated() {
      let damage = omissions[number % omissions.count]
      entries[index] = damage.map { entries[index].changed(by: $0) } ?? "a damaged entry"
    }
    return entries
  }
}
