import Application
import CurlewLive
import CurlewScreens
import Domain

/// A page whose states can be said in a line: what a screen reader announces, and a terminal prints.
protocol SpokenPage: LivePage {
  /// Returns what there is to say of a state; empty for nothing.
  func announcement(of state: Content.State) -> String
}

extension IssuesPage: SpokenPage {
  func announcement(of state: ActivityTracking<IssueTracker>.State) -> String {
    IssuesView(state, path: path, now: now()).status
  }
}

extension RepositoriesPage: SpokenPage {
  func announcement(of state: ActivityTracking<Repositories>.State) -> String {
    RepositoriesView(state, path: path).status
  }
}

extension RepositoryPage: SpokenPage {
  func announcement(of state: ActivityTracking<RepositoryDetail>.State) -> String {
    RepositoryView(state).status
  }
}

extension TopMoviesPage: SpokenPage {
  func announcement(of state: ActivityTracking<TopMovies>.State) -> String {
    TopMoviesView(state, address: path).status
  }
}

extension MoviesPage: SpokenPage {
  func announcement(of state: ActivityTracking<Movies>.State) -> String {
    MoviesView(state.content, state.activity).status
  }
}

extension SearchPage: SpokenPage {
  func announcement(of state: ActivityTracking<Search<Item>>.State) -> String {
    SearchView(state, self).status
  }
}
