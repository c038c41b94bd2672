#if canImport(SwiftUI)
  public import AppComposition
  public import SwiftUI

  /// The five apps, as the tabs of one.
  public struct AppsView: View {
    private let sources: AppSources

    /// Shows what the sources have.
    public init(_ sources: AppSources) { self.sources = sources }

    /// The view.
    public var body: some View {
      TabView {
        RepositoriesView(sources).tabItem { Label("Repositories", systemImage: "books.vertical") }
        IssueTrackerView(sources).tabItem { Label("Issues", systemImage: "exclamationmark.circle") }
        MoviesView(sources).tabItem { Label("Movies", systemImage: "film") }
        TopMoviesView(sources).tabItem { Label("Top Movies", systemImage: "list.number") }
        DogsView(sources).tabItem { Label("Dogs", systemImage: "pawprint") }
      }
    }
  }
#endif
