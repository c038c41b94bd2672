import CurlewScreens
package import Domain

/// The data sources for the screens and the commands.
///
/// A screen without a server, such as the dog search, adds its source in an extension in its own
/// file.
package struct DataSources: Sendable {
  package private(set) var host: any CodeHost
  package let catalogue: any MovieCatalogue
  package let store: any MovieStore
  /// The sandbox's source of dogs; `nil` without a sandbox.
  package var kennel: (any DogSource)?
  /// The clock for sources that simulate delays.
  package var clock: any Clock<Duration> = ContinuousClock()
  /// Whether the servers are unreachable.
  package var isOffline: OfflineFlags = noOfflineFlags
  /// The repositories shown in lists, so that a detail screen immediately shows their known
  /// properties.
  private(set) var recent = RecentValues<RepositoryName, Repository>()
  /// The movies shown in lists.
  let recentMovies = RecentValues<MovieKey, Movie>()
  /// The dogs found by searches.
  let recentDogs = RecentValues<String, Dog>()

  package init(host: any CodeHost, catalogue: any MovieCatalogue, store: any MovieStore) {
    (self.host, self.catalogue, self.store) = (host, catalogue, store)
  }

  /// Returns the data sources of a user, with a host of the user's own; the other sources know no users.
  package func with(_ host: any CodeHost) -> DataSources {
    var sources = self
    (sources.host, sources.recent) = (host, RecentValues())
    return sources
  }
}
