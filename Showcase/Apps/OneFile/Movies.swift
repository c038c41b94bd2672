import Curlew
import CurlewScreens
import Foundation

// MARK: Network

nonisolated enum MovieList: String, CaseIterable, Sendable {
  case nowPlaying = "now_playing"
  case topRated = "top_rated"
}

nonisolated struct Movie: Decodable, Identifiable, Hashable, Sendable {
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

nonisolated struct MoviePage: Decodable, Sendable {
  let results: [Movie]
  let totalPages: Int
}

nonisolated struct TMDB: Sendable {
  var client: Client

  init(key: String = Bundle.main.object(forInfoDictionaryKey: "TMDBAPIKey") as? String ?? "") {
    client = Client(baseURL: "https://api.themoviedb.org") {
      $0.middleware = [.retrying(), .apiKey(key, query: "api_key")]
      $0.jsonDecoder.keyDecodingStrategy = .convertFromSnakeCase
    }
  }

  func movies(in list: MovieList, page: Int) async throws -> Page<Movie> {
    let found: MoviePage = try await client.send(
      .get("/3/movie/\(list.rawValue)", query: ["page": page]))
    // TMDB serves at most 500 pages.
    return Page(found.results, number: page, of: min(found.totalPages, 500))
  }

  func feed(of list: MovieList) -> Feed<Movie> {
    Feed { key in try await movies(in: list, page: key?.number ?? 1) }
  }

  func movie(id: Int) async throws -> Movie? { try await client.send(.get("/3/movie/\(id)")) }
}

// MARK: Views

extension Movie {
  var year: String {
    guard let releaseDate, !releaseDate.isEmpty else { return "Year Unknown" }
    return String(releaseDate.prefix(4))
  }

  var vote: String { voteAverage.formatted(.number.precision(.fractionLength(1))) }
}

#if canImport(SwiftUI)
  import CurlewSwiftUI
  import SwiftUI

  struct MoviesView: View {
    @State private var list = MovieList.nowPlaying
    @State private var nowPlaying = ScreenModel(TMDB().feed(of: .nowPlaying))
    @State private var topRated = ScreenModel(TMDB().feed(of: .topRated))

    var body: some View {
      NavigationStack {
        MovieListView(model: list == .nowPlaying ? nowPlaying : topRated).id(list).safeAreaInset(
          edge: .top
        ) {
          Picker("List", selection: $list) {
            Text("Now Playing").tag(MovieList.nowPlaying)
            Text("Top Rated").tag(MovieList.topRated)
          }.pickerStyle(.segmented).background(.bar)
        }.navigationTitle("Movies").navigationDestination(for: Movie.self) { MovieView(known: $0) }
      }
    }
  }

  struct MovieListView: View {
    let model: ScreenModel<Feed<Movie>>

    var body: some View {
      FeedList(model) { movie in
        NavigationLink(value: movie) {
          PosterRow(
            poster: movie.poster, title: movie.title, details: "\(movie.year) · ★ \(movie.vote)")
        }
      }.activity(of: model).running(model)
    }
  }

  struct MovieView: View {
    let known: Movie
    @State private var model = ScreenModel(
      Detail<Int, Movie, Movie> { try await TMDB().movie(id: $0) })

    var body: some View {
      let movie = model.latest ?? known
      List {
        Poster(url: movie.poster, width: 200)
        Text(movie.title).font(.title2)
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
      }.navigationTitle(movie.title).onAppear { model.send(.show(known.id)) }.activity(of: model)
        .running(model)
    }
  }
#endif
