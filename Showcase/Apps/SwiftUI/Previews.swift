#if canImport(SwiftUI)
  import AppComposition
  import Application
  import Curlew
  import CurlewScreens
  import Domain
  import Foundation
  import SwiftUI

  /// Previews of the views: with sample states, or with the samples of the endpoints.
  struct Views_Previews: PreviewProvider {
    private static let sources = try! AppSources.live(tmdbKey: nil, transport: .samples())
    private static let swift = RepositoryName(owner: "apple", name: "swift")!

    static var previews: some View {
      dogs(.content([Dog(name: "Shiba Inu"), Dog(name: "Great Pyrenees")]))
      dogs(.loading(last: nil))
      dogs(.empty)
      issues
      repositories
      TopMoviesView(sources)
      MoviesView(sources, path: RoutePath())
    }

    private static func dogs(_ results: Loadable<[Dog]>) -> some View {
      DogsView(
        model: ScreenModel(
          DogSearch(sources.dogs), showing: DogSearch.State(text: "s", results: results)), sources)
    }

    private static var issues: some View {
      let issue = Issue(
        repository: swift, number: 935, title: "A long title that needs more than one line",
        body: "", labels: [], author: "airspeed", avatar: nil, link: nil, createdAt: .distantPast,
        comments: 3, isOpen: true)
      let list = PagedSearch<Issue>.State(text: "apple/swift", list: .init(items: [issue]))
      return IssueTrackerView(
        model: ScreenModel(
          IssueTracker(TrackIssues(host: sources.host)), showing: .init(search: list)), sources)
    }

    private static var repositories: some View {
      let list = PagedSearch<Repository>.State(
        text: "swift", list: .init(items: [Repository(name: swift)]))
      return RepositoriesView(
        model: ScreenModel(Repositories(host: sources.host), showing: .init(search: list)), sources)
    }
  }
#endif
