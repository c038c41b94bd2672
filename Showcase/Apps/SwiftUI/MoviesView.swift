#if canImport(SwiftUI)
  public import AppComposition
  public import Application
  public import CurlewScreens
  import CurlewSwiftUI
  import Domain
  public import SwiftUI

  /// The movies now in cinemas, and the top-rated movies.
  public struct MoviesView: View {
    private let sources: AppSources
    private let path: RoutePath<MovieRoute>
    @State private var model: ScreenModel<Movies>

    /// Creates a view that shows data from the given sources.
    ///
    /// - Parameter path: The navigation path of open movies.
    public init(_ sources: AppSources, path: RoutePath<MovieRoute>) {
      (self.sources, self.path) = (sources, path)
      _model = State(
        initialValue: sources.model(
          Movies(catalogue: sources.catalogue, recent: sources.recentMovies)))
    }

    init(model: ScreenModel<Movies>, _ sources: AppSources) {
      (self.sources, path) = (sources, RoutePath())
      _model = State(initialValue: model)
    }

    /// The view.
    public var body: some View {
      RouteStack(path) {
        VStack {
          Picker("List", selection: model.binding(\.filter.list) { .filter(.list($0)) }) {
            Text("Now playing").tag(MovieList.nowPlaying)
            Text("Top rated").tag(MovieList.topRated)
          }
          .pickerStyle(.segmented)
          FeedList(model.feed, send: { model.send(.feed($0)) }) { movie in
            NavigationLink(
              value: MovieRoute(MovieKey(id: movie.id, language: model.filter.language))
            ) {
              let row = MovieRow(movie)
              MediaRow(
                picture: row.poster, title: row.title, details: [row.year, row.vote], sources)
            }
          }
        }
        .navigationTitle("Movies")
        .activity(of: model)
        .running(model)
      } destination: { route in
        MovieView(route, sources)
      }
    }
  }

  private struct MovieView: View {
    private let sources: AppSources
    @State private var model: ScreenModel<MovieDetail>
    let route: MovieRoute

    init(_ route: MovieRoute, _ sources: AppSources) {
      (self.route, self.sources) = (route, sources)
      _model = State(
        initialValue: sources.model(
          MovieDetail(catalogue: sources.catalogue, recent: sources.recentMovies)))
    }

    var body: some View {
      List {
        if let movie = model.movie {
          let facts = MovieFacts(movie, language: route.key.language)
          RemoteImage(movie.backdrop ?? facts.poster, width: 240, sources)
          Text(facts.title).font(.title2)
          ForEach([facts.released, facts.runtime, facts.rating].compactMap(\.self), id: \.self) {
            Text($0).foregroundStyle(.secondary)
          }
          Text(facts.overview)
        }
      }
      .onAppear { model.send(.show(route.key)) }
      .refreshable { await model.send(.refresh).finished() }
      .activity(of: model)
      .running(model)
    }
  }
#endif
