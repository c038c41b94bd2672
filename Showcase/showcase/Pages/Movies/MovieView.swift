import Application
import CurlewScreens
import Domain
import Foundation

/// The texts and switches of the template of one movie.
struct MovieView: PageView {
  struct Movie {
    let facts: MovieFacts
    let poster: String?
    let tagline: String?
    /// Such as `Released` and `March 4, 2016`.
    let counts: [RepositoryView.Count]
    let genres: [String]
    let hasGenres: Bool
    let link: String?
  }

  static let template = Template(PackageResources.movie_mustache)

  let status: String
  let back: String
  /// The paths of the lists that it may have been opened from.
  let lists = MovieList.allCases.map { MoviesPage.path(of: $0) }.joined(separator: " ")
  let language: String
  let detail: DetailView
  let movie: Movie?

  var age: AgeView? { detail.age }

  init(_ tracked: Tracked<MovieDetail>.State, now: Date) {
    let state = tracked.content.shown
    let known = state.movie
    language = state.id?.language ?? MovieFilter.languages[0].code
    back = MoviesPage.address(.nowPlaying, language: language)
    detail = DetailView(
      state, isKnown: known != nil, activity: tracked.activity,
      isOffline: tracked.content.isOffline,
      retry: state.id.map { MovieRoute($0).address } ?? back, now: now)
    movie = known.map { [language] in Movie($0, language: language) }
    status =
      switch state.content.phase {
      case .idle, .content: ""
      case .loading: known == nil ? "Looking for the movie…" : "Loading the rest…"
      case .empty: "There is no such movie."
      case .failed: known == nil ? "It could not be loaded." : "The rest could not be loaded."
      }
  }
}

extension MovieView.Movie {
  fileprivate init(_ movie: Movie, language: String) {
    facts = MovieFacts(movie, language: language)
    poster = facts.poster?.imagePath
    tagline = movie.tagline
    counts = [
      .init(name: "Released", value: facts.released),
      .init(name: "Runtime", value: facts.runtime),
      .init(name: "Rated", value: facts.rating),
    ]
    genres = movie.genres
    hasGenres = !genres.isEmpty
    link = movie.link?.webAddress
  }
}
