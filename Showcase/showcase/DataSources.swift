import CurlewScreens
package import Domain

/// Where the screens and the commands get their data from.
///
/// A screen whose data needs no server extends it in its own file, as the dogs do.
package struct DataSources: Sendable {
  package let host: any CodeHost
  package let catalogue: any MovieCatalogue
  package let store: any MovieStore
  /// The dogs of the sandbox; `nil` without one.
  package var kennel: (any DogSource)?
  /// The clock of sources that take their time by themselves.
  package var clock: any Clock<Duration> = ContinuousClock()
  /// Whether the servers are out of reach.
  package var isOffline: OfflineFlags = noOfflineFlags
  /// The repositories that lists showed: the screen of one shows at once what is known of it.
  let recent = RecentValues<RepositoryName, Repository>()
  /// The movies that lists showed.
  let recentMovies = RecentValues<MovieKey, Movie>()
  /// The dogs that searches found.
  let recentDogs = RecentValues<String, Dog>()

  package init(host: any CodeHost, catalogue: any MovieCatalogue, store: any MovieStore) {
    (self.host, self.catalogue, self.store) = (host, catalogue, store)
  }
}
