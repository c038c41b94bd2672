#if canImport(SwiftUI)
  public import AppComposition
  import Application
  import CurlewScreens
  import CurlewSwiftUI
  import Domain
  public import SwiftUI

  /// The best-selling movies of a store.
  public struct TopMoviesView: View {
    private let sources: AppSources
    @State private var model: ScreenModel<TopMovies>

    /// Creates a view that shows data from the given sources.
    public init(_ sources: AppSources) {
      self.sources = sources
      _model = State(initialValue: sources.model(TopMovies(store: sources.store)))
    }

    init(model: ScreenModel<TopMovies>, _ sources: AppSources) {
      self.sources = sources
      _model = State(initialValue: model)
    }

    /// The view.
    public var body: some View {
      NavigationStack {
        FeedList(model.feed, send: { model.send(.feed($0)) }) { movie in
          let row = StoreMovieRow(movie)
          MediaRow(
            picture: row.image, title: row.title,
            details: ["No. \(movie.rank)", row.price, row.releaseDate], sources)
        }
        .navigationTitle("Top Movies")
        .activity(of: model)
        .running(model)
      }
    }
  }
#endif
