public import Curlew
public import CurlewScreens
public import Domain
public import Foundation
import Platform

/// The data sources of the apps.
public struct AppSources: Sendable {
  /// GitHub.
  public let host: any CodeHost
  /// iTunes.
  public let store: any MovieStore
  /// TMDB.
  public let catalogue: any MovieCatalogue
  /// Dog breeds.
  public let dogs: any DogSource
  /// Loads an image from the cache or from its server.
  public let image: @Sendable (URL) async throws -> Data
  /// A stream of whether the servers are unreachable.
  public let isOffline: @Sendable () -> AsyncStream<Bool>
  /// The user; `nil` for GitHub itself, which asks users on a page of its own.
  public let account: AppAccount?
  /// The repositories shown in lists.
  public let recent = RecentValues<RepositoryName, Repository>()
  /// The movies shown in lists.
  public let recentMovies = RecentValues<MovieKey, Movie>()

  /// Creates data sources, for example with sample data for previews and tests.
  public init(
    host: any CodeHost, store: any MovieStore, catalogue: any MovieCatalogue, dogs: any DogSource,
    image: @escaping @Sendable (URL) async throws -> Data,
    isOffline: @escaping @Sendable () -> AsyncStream<Bool> = { AsyncStream { $0.finish() } },
    account: AppAccount? = nil
  ) {
    (self.host, self.store, self.catalogue, self.dogs) = (host, store, catalogue, dogs)
    (self.image, self.isOffline, self.account) = (image, isOffline, account)
  }

  /// Returns the data sources for the real servers.
  ///
  /// - Parameters:
  ///   - tmdbKey: The key for TMDB's API, which is redacted in logs and errors; without a key, TMDB
  ///     rejects all requests.
  ///   - cache: The cache for responses, including images.
  ///   - transport: The transport for all requests.
  ///   - sandbox: The base URL of the showcase's sandbox, in place of GitHub's, whose users can sign in.
  ///   - outbox: The file of the users' changes that wait to be sent, to be excluded from backups; by default in the
  ///     folder for application support.
  /// - Throws: ``URLParsingError``, only if this function contains an invalid URL.
  public static func live(
    tmdbKey: Sensitive?, cache: ResponseCache = .memory(), transport: any Transport = .urlSession,
    sandbox: String? = nil,
    outbox: URL? = nil
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
    func gitHub(_ session: StandardMiddleware? = nil) throws -> Client {
      try client(sandbox ?? "https://api.github.com") {
        $0.jsonDecoder = .github
        $0.networkMiddleware = [.rateBudget(), .concurrency(8)]
        if let session { $0.middleware.append(session) }
      }
    }
    var account: GitHubAccount?
    #if canImport(Security)
      if sandbox != nil {
        account = try GitHubAccount(
          Keychain.token(), renewedBy: gitHub(), save: { Keychain.save($0) },
          client: { try gitHub($0) })
      }
    #endif
    let tmdb = try client("https://api.themoviedb.org") {
      if let tmdbKey { $0.middleware.append(.apiKey(tmdbKey.value, query: "api_key")) }
    }
    let pictures = try client("https://image.tmdb.org")
    let folders = FileManager.default.urls(
      for: .applicationSupportDirectory, in: .userDomainMask)
    let outbox =
      outbox
      ?? (folders.first ?? FileManager.default.temporaryDirectory)
      .appending(path: "curlew-apps/outbox")
    let host = GitHubHost(
      client: try account?.client ?? gitHub(), canChangeIssues: account != nil,
      user: { [account] in account?.userName }, outbox: .gitHub(at: outbox))
    return AppSources(
      host: host,
      store: ITunesStore(client: try client("https://itunes.apple.com")),
      catalogue: TMDBCatalogue(client: tmdb), dogs: SlowDogs(),
      image: {
        try await pictures.send(Request<Data>.get(.url(try URLReference($0.absoluteString))))
      },
      isOffline: { connection.changes }, account: account.map { AppAccount($0, host: host) })
  }
}
