import SwiftUI

// MARK: Network

enum MovieList: String, CaseIterable, Sendable {
  case nowPlaying = "now_playing"
  case topRated = "top_rated"
}

struct Movie: Decodable, Identifiable, Hashable, Sendable {
  struct Genre: Decodable, Hashable, Sendable { let name: String }

  let id: Int
  let title: String
  let overview: String?
  let posterPath: String?
  let releaseDate: String?
  let voteAverage: Double
  /// These two properties are missing in lists.
  let runtime: Int?
  let genres: [Genre]?

  var poster: URL? { posterPath.flatMap { URL(string: "https://image.tmdb.org/t/p/w342\($0)") } }
}

struct TMDB: Sendable {
  private struct Answer: Decodable, Sendable {
    let results: [Movie]
    let totalPages: Int
  }

  var client = APIClient(
    baseURL: URL(string: "https://api.themoviedb.org/3")!,
    query: ["api_key": Bundle.main.object(forInfoDictionaryKey: "TMDBAPIKey") as? String ?? ""])

  func movies(in list: MovieList, page: Int) async throws -> Page<Movie> {
    let answer: Answer = try await client.get("movie/\(list.rawValue)", query: ["page": "\(page)"])
    // TMDB serves at most 500 pages.
    return Page(items: answer.results, hasMore: page < min(answer.totalPages, 500))
  }

  func movie(id: Int) async throws -> Movie { try await client.get("movie/\(id)") }
}

// MARK: Views

extension MovieList {
  fileprivate var title: LocalizedStringKey {
    switch self {
    case .nowPlaying: "Now Playing"
    case .topRated: "Top Rated"
    }
  }
}

extension Movie {
  fileprivate var year: String {
    guard let releaseDate, !releaseDate.isEmpty else { return "Year Unknown" }
    return String(releaseDate.prefix(4))
  }

  fileprivate var vote: String { voteAverage.formatted(.number.precision(.fractionLength(1))) }
}

struct MoviesView: View {
  @State private var list = MovieList.nowPlaying
  @State private var nowPlaying = Loader(initially: MovieList.nowPlaying, page: TMDB().movies)
  @State private var topRated = Loader(initially: MovieList.topRated, page: TMDB().movies)

  var body: some View {
    NavigationStack {
      MovieListView(loader: list == .nowPlaying ? nowPlaying : topRated).id(list).safeAreaInset(
        edge: .top
      ) {
        Picker("List", selection: $list) {
          ForEach(MovieList.allCases, id: \.self) { list in Text(list.title) }
        }.pickerStyle(.segmented).padding().background(.bar)
      }.navigationTitle("Movies").navigationBarTitleDisplayMode(.inline).navigationDestination(
        for: Movie.self
      ) { movie in MovieView(known: movie) }
    }
  }
}

private struct MovieListView: View {
  let loader: Loader<MovieList, Pages<Movie>>

  var body: some View {
    List(loader.value?.items ?? []) { movie in
      NavigationLink(value: movie) {
        PosterRow(
          poster: movie.poster, title: movie.title, details: "\(movie.year) · ★ \(movie.vote)"
        ).spoken("\(movie.title), \(movie.year), rated \(movie.vote) out of 10")
      }.loadsNext(with: loader, after: movie)
    }.overlay {
      if loader.value?.isEmpty == true { ContentUnavailableView("No Movies", systemImage: "film") }
    }.refreshable { await loader.refresh() }.loads(with: loader)
  }
}

struct MovieView: View {
  private let known: Movie
  @State private var loader: Loader<Int, Movie>

  init(known: Movie) {
    self.known = known
    _loader = State(initialValue: Loader(initially: known.id, fetch: TMDB().movie))
  }

  var body: some View {
    let movie = loader.value ?? known
    List {
      Poster(url: movie.poster, width: 200).frame(maxWidth: .infinity)
      Text(movie.title).font(.title2.bold())
      LabeledContent("Year", value: movie.year)
      LabeledContent("Vote", value: movie.vote)
      if let runtime = movie.runtime {
        let length = Duration.seconds(runtime * 60)
        LabeledContent("Length", value: length.formatted(.units(allowed: [.hours, .minutes])))
      }
      if let genres = movie.genres {
        LabeledContent("Genres", value: genres.map(\.name).formatted())
      }
      if let overview = movie.overview { Text(overview) }
    }.loads(with: loader).navigationTitle(movie.title).navigationBarTitleDisplayMode(.inline)
  }
}
