import Application
import CurlewScreens
import Domain
import Foundation

extension Template {
  fileprivate static let movies = Template(PackageResources.movies_mustache)
}

extension MoviesPage {
  func view(of tracked: Tracked<Movies>.State) -> PageView {
    let (filter, feed) = (tracked.content.displayed.filter, tracked.content.displayed.feed)
    let title = filter.list.title
    let status = feed.status(
      loading: "Loading what is \(title.lowercased())…",
      empty: "There are no movies in this list.", failed: "The movies could not be loaded."
    ) { "\($0.grouped) \($0 == 1 ? "movie" : "movies")" }
    let segments: [Values] = MovieList.allCases.map { list in
      [
        "slug": list.slug, "title": list.title, "isShown": list == filter.list,
        "href": Self.address(list, language: filter.language),
      ]
    }
    return view(
      of: tracked, .movies, status: status, list: feed, now: now(),
      [
        "title": title, "action": Self.path(of: filter.list), "language": filter.language,
        "segments": segments,
        "choices": [
          Values.choices(
            "language", label: "Language", MovieFilter.languages, chosen: filter.language)
        ],
        "cards": feed.items.map { Values($0, language: filter.language) },
      ]
    ) { page in
      Self.address(filter.list, language: filter.language, page: page)
    }
  }
}

extension Values {
  fileprivate init(_ movie: Movie, language: String) {
    let row = MovieRow(movie)
    let hasNoVotes = movie.voteCount == 0
    self = [
      "id": "\(movie.id)",
      "href": MovieRoute(MovieKey(id: movie.id, language: language)).address,
      "title": row.title, "year": row.year.isEmpty ? nil : row.year,
      "vote": hasNoVotes ? nil : row.vote,
      // Whether nobody has voted, as far as is known.
      "hasNoVotes": hasNoVotes, "overview": row.overview,
      // Missing where the catalogue has no overview and the page says so.
      "overviewLanguage": movie.overview.isEmpty ? nil : language,
      "poster": row.poster?.imagePath,
    ]
  }
}
