#if canImport(SwiftUI)
  public import AppComposition
  import Application
  import CurlewScreens
  public import SwiftUI

  /// The five apps as tabs; an incoming link selects its tab.
  public struct AppsView: View {
    private enum Tab { case repositories, issues, movies, topMovies, dogs, account }

    private let sources: AppSources
    @State private var tab = Tab.repositories
    @State private var repositories = RoutePath<RepositoryRoute>()
    @State private var movies = RoutePath<MovieRoute>()

    /// Creates a view that shows data from the given sources.
    public init(_ sources: AppSources) { self.sources = sources }

    /// The view.
    public var body: some View {
      TabView(selection: $tab) {
        RepositoriesView(sources, path: repositories)
          .tabItem { Label("Repositories", systemImage: "books.vertical") }
          .tag(Tab.repositories)
        IssueTrackerView(sources)
          .tabItem { Label("Issues", systemImage: "exclamationmark.circle") }
          .tag(Tab.issues)
        MoviesView(sources, path: movies)
          .tabItem { Label("Movies", systemImage: "film") }
          .tag(Tab.movies)
        TopMoviesView(sources)
          .tabItem { Label("Top Movies", systemImage: "list.number") }
          .tag(Tab.topMovies)
        DogsView(sources)
          .tabItem { Label("Dogs", systemImage: "pawprint") }
          .tag(Tab.dogs)
        if let account = sources.account {
          SignInView(account, sources)
            .tabItem { Label("Account", systemImage: "person") }
            .tag(Tab.account)
        }
      }
      .onOpenURL { url in
        if repositories.open(url) { tab = .repositories }
        if movies.open(url) { tab = .movies }
      }
    }
  }
#endif
