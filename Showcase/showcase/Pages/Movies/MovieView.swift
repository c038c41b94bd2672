import Application
import CurlewScreens
import Domain
import Foundation

extension Template {
  fileprivate static let movie = Template(PackageResources.movie_mustache)
}

extension MoviePage {
  func view(of tracked: Tracked<MovieDetail>.State) -> PageView {
    let state = tracked.content.displayed
    let known = state.movie
    let language = state.id?.language ?? MovieFilter.languages[0].code
    let back = MoviesPage.address(.nowPlaying, language: language)
    let status =
      switch state.content.phase {
      case .idle, .content: ""
      case .loading: known == nil ? "Looking for the movie…" : "Loading the rest…"
      case .empty: "There is no such movie."
      case .failed: known == nil ? "It could not be loaded." : "The rest could not be loaded."
      }
    return view(
      of: tracked, .movie, status: status, detail: state, isKnown: known != nil,
      retry: state.id.map { MovieRoute($0).address } ?? back, now: now(),
      [
        "back": back,
        // The paths of the lists that it may have been opened from.
        "lists": MovieList.allCases.map { MoviesPage.path(of: $0) }.joined(separator: " "),
        "language": language, "movie": known.map { Values($0, language: language) },
      ])
  }
}

extension Values {
  fileprivate init(_ movie: Movie, language: String) {
    let facts = MovieFacts(movie, language: language)
    let counts: [Values] = [
      ["name": "Released", "value": facts.released], ["name": "Runtime", "value": facts.runtime],
      ["name": "Rated", "value": facts.rating],
    ]
    self = [
      "facts": facts, "poster": facts.poster?.imagePath, "tagline": movie.tagline,
      "counts": counts, "genres": movie.genres, "hasGenres": !movie.genres.isEmpty,
      "link": movie.link?.webAddress,
    ]
  }
}
