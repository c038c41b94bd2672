import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension Template {
  fileprivate static let topMovies = Template(PackageResources.itunes_mustache)
}

extension TopMoviesPage {
  func view(of tracked: Tracked<TopMovies>.State) -> PageView {
    let (filter, feed) = (tracked.content.displayed.filter, tracked.content.displayed.feed)
    let country = filter.countryName
    let address = path + query(of: filter).text
    let status = feed.status(
      loading: "Looking at \(country)…", empty: "The list of \(country) is empty.",
      failed: "The movies could not be loaded."
    ) { "\(country): " + ($0 == 1 ? "1 movie" : "\($0) movies, best sellers first") }
    return view(
      of: tracked, .topMovies, status: status, list: feed, now: now(),
      [
        "country": country,
        "choices": [
          Values.choices(
            "country", label: "Country", StoreFilter.countries, chosen: filter.country),
          Values.choices(
            "limit", label: "How many", StoreFilter.limits.map { ("\($0)", "Top \($0)") },
            chosen: "\(filter.limit)"),
        ],
        "cards": feed.items.map { Values($0) },
      ]
    ) { _ in address }
  }
}

extension Values {
  fileprivate init(_ movie: StoreMovie) {
    let row = StoreMovieRow(movie)
    self = [
      "key": movie.id, "rank": "\(movie.rank)", "title": row.title,
      "releaseDate": row.releaseDate.isEmpty ? nil : row.releaseDate, "price": row.price,
      "isForSale": row.price.first?.isNumber == true,
      "rental": row.rental.isEmpty ? nil : row.rental,
      "category": row.category.isEmpty ? nil : row.category, "summary": row.summary,
      "hasSummary": movie.summary?.contains { !$0.isWhitespace } == true,
      "image": row.image?.imagePath, "link": row.link?.webAddress,
    ]
  }
}
