import Application
import CurlewScreens
import Domain
import Foundation

/// The texts and switches of the template of what sells best.
struct TopMoviesView: PageView {
  struct Card {
    let key: String
    let rank: String
    let title: String
    let releaseDate: String?
    let price: String
    let isForSale: Bool
    let rental: String?
    let category: String?
    let summary: String
    let hasSummary: Bool
    let image: String?
    let link: String?
  }

  static let template = Template(PackageResources.itunes_mustache)

  let country: String
  let status: String
  let choices: [Choices]
  let activity: ActivityView
  let list: ListView
  let cards: [Card]

  var leftOut: LeftOut? { list.leftOut }
  var age: AgeView? { list.age }

  init(_ tracked: Tracked<TopMovies>.State, address: String, now: Date) {
    let (filter, feed) = (tracked.content.shown.filter, tracked.content.shown.feed)
    let country = filter.countryName
    self.country = country
    status = feed.status(
      loading: "Looking at \(country)…", empty: "The list of \(country) is empty.",
      failed: "The movies could not be loaded."
    ) { "\(country): " + ($0 == 1 ? "1 movie" : "\($0) movies, best sellers first") }
    choices = [
      Choices(
        name: "country", label: "Country",
        choices: StoreFilter.countries.map {
          Choice(value: $0.code, name: $0.name, isChosen: $0.code == filter.country)
        }),
      Choices(
        name: "limit", label: "How many",
        choices: StoreFilter.limits.map {
          Choice(value: "\($0)", name: "Top \($0)", isChosen: $0 == filter.limit)
        }),
    ]
    activity = ActivityView(tracked.activity, of: feed, retry: address)
    list = ListView(
      feed, isBusy: tracked.activity.isVisible,
      age: AgeView(asOf: feed.asOf, isOffline: tracked.content.isOffline, now: now)
    ) { _ in address }
    cards = feed.items.map { Card($0) }
  }
}

extension TopMoviesView.Card {
  fileprivate init(_ movie: StoreMovie) {
    let row = StoreMovieRow(movie)
    key = movie.id
    rank = "\(movie.rank)"
    title = row.title
    releaseDate = row.releaseDate.isEmpty ? nil : row.releaseDate
    price = row.price
    isForSale = row.price.first?.isNumber == true
    rental = row.rental.isEmpty ? nil : row.rental
    category = row.category.isEmpty ? nil : row.category
    summary = row.summary
    hasSummary = movie.summary?.contains { !$0.isWhitespace } == true
    image = row.image?.imagePath
    link = row.link?.webAddress
  }
}
