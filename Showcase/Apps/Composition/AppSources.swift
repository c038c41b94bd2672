public import Curlew
public import CurlewScreens
public import Domain
public import Foundation
import Platform

/// Where the apps get their data from.
public struct AppSources: Sendable {
  /// GitHub.
  public let host: any CodeHost
  /// iTunes.
  public let store: any MovieStore
  /// TMDB.
  public let catalogue: any MovieCatalogue
  /// Breeds of dogs.
  public let dogs: any DogSource
  /// Loads a picture, from the cache if it is there.
  public let image: @Sendable (URL) async throws -> Data
  /// Whether the servers are out of reach, as it changes.
  public let isOffline: @Sendable () -> AsyncStream<Bool>
  /// The repositories that lists have shown.
  public let recent = RecentValues<RepositoryName, Repository>()
  /// The movies that lists have shown.
  public let recentMovies = RecentValues<MovieKey, Movie>()

  /// Creates sources, such as samples for previews and tests.
  public init(
    host: any CodeHost, store: any MovieStore, catalogue: any MovieCatalogue, dogs: any DogSource,
    image: @escaping @Sendable (URL) async throws -> Data,
    isOffline: @escaping @Sendable () -> AsyncStream<Bool> = { AsyncStream { $0.finish() } }
  ) {
    (self.host, self.store, self.catalogue, self.dogs) = (host, store, catalogue, dogs)
    (self.image, self.isOffline) = (image, isOffline)
  }

  /// Connects to the real servers.
  ///
  /// - Parameters:
  ///   - tmdbKey: A key of TMDB's API, in no log and no error; without one, TMDB refuses.
  ///   - cache: The cache of responses, pictures included.
  ///   - transport: The transport of all requests.
  /// - Throws: ``URLParsingError`` for no reason but a mistake in this function.
  public static func live(
    tmdbKey: Sensitive?, cache: ResponseCache = .memory(), transport: any Transport = .urlSession
  ) throws -> AppSources {
    let connection = ConnectionStatus()
    func client(
      _ baseURL: String, _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> Client {
      Client(baseURL: try BaseURL(baseURL)) {
        ($0.transport, $0.cache, $0.connection) = (transport, cache, connection)
        $0.middleware = [.coalescing, .retrying()]
        configure(&$0)
      }
    }
    let gitHub = try client("https://api.github.com") {
      $0.jsonDecoder = .github
      $0.networkMiddleware = [.rateBudget(), .concurrency(8)]
    }
    let tmdb = try client("https://api.themoviedb.org") {
      if let tmdbKey { $0.middleware.append(.apiKey(tmdbKey.value, query: "api_key")) }
    }
    let pictures = try client("https://image.tmdb.org")
    return AppSources(
      host: GitHubHost(client: gitHub),
      store: ITunesStore(client: try client("https://itunes.apple.com")),
      catalogue: TMDBCatalogue(client: tmdb), dogs: SlowDogs(),
      image: {
        try await pictures.send(Request<Data>.get(.url(try URLReference($0.absoluteString))))
      },
      isOffline: { connection.changes })
  }
}
