import CurlewScreens
import Domain

/// Where the screens and the commands get their data from.
///
/// A screen whose data needs no server extends it in its own file, as the dogs do.
struct DataSources: Sendable {
  let host: any CodeHost
  let catalogue: any MovieCatalogue
  let store: any MovieStore
  /// The dogs of the sandbox; `nil` without one.
  var kennel: (any DogSource)?
  /// The clock of sources that take their time by themselves.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Whether the servers are out of reach.
  var isOffline: OfflineFlags = noOfflineFlags
  /// The repositories that lists showed: the screen of one shows at once what is known of it.
  let recent = RecentValues<RepositoryName, Repository>()
  /// The movies that lists showed.
  let recentMovies = RecentValues<MovieKey, Movie>()
}
