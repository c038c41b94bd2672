import Application
import CurlewScreens
import Domain

/// The screens that have pages.
struct Screens: Sendable {
  let issues: IssueTracker
  let repositories: Repositories
  let repository: RepositoryDetail
  let topMovies: TopMovies
  let movies: Movies
  let dogs: DogSearch

  /// Puts the screens on their sources.
  init(
    trackIssues: TrackIssues, host: any CodeHost, store: any MovieStore,
    catalogue: any MovieCatalogue, kennel: Kennel
  ) {
    // What the list showed is what the screen of one repository shows at once.
    let recent = RecentValues<RepositoryName, Repository>()
    issues = IssueTracker(trackIssues)
    repositories = Repositories(host: host, recent: recent)
    repository = RepositoryDetail(host: host, recent: recent)
    topMovies = TopMovies(store: store)
    movies = Movies(catalogue: catalogue)
    dogs = DogSearch(kennel)
  }
}
