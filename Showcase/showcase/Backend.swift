import Curlew
import CurlewAsyncHTTPClient
import CurlewFleet
import CurlewLive
import CurlewRecording
import CurlewScreens
import Domain
import Foundation
import Platform
import Sandbox

/// The composition root of the commands and the pages: the only type that depends on all layers.
package struct Backend {
  /// The source of the data, as text for the start-up message.
  let summary: String
  /// Whether the data is fictitious.
  let isFictitious: Bool
  /// The data sources for the screens and the commands.
  let sources: DataSources
  /// The users of the sandbox; `nil` without a sandbox.
  let accounts: Accounts?
  /// The client of GitHub's API, with which the user of the commands signs in and out.
  let gitHub: Client
  /// Proxies the images in the data to the pages.
  let images: ImageRelay
  private let sandbox: Sandbox?
  /// The recorder of the screens; `nil` without `--record-trace`.
  private(set) var traces: TraceRecorder?

  /// The base URL of the sandbox that the backend runs; `nil` without a sandbox.
  var sandboxURL: String? { sandbox?.baseURL }

  /// The sandbox controls that visitors can change while the pages are served.
  var controls: [LiveInspector.Control] { sandbox?.controls ?? [] }

  /// Runs a closure on a backend, stops the backend afterwards, and writes the recording.
  ///
  /// - Parameters:
  ///   - runningSandbox: The base URL of another process's sandbox, which is used instead of an own one.
  ///   - fleet: The servers that share the sign-ins and the units of GitHub's rate limit; `nil` for this one alone.
  ///   - trace: The path of the file for the trace of the screens; `nil` for none.
  ///   - stopsOnSignals: Whether the closure itself returns when the process receives a termination
  ///     signal.
  ///   - isServer: Whether requests are sent for visitors of pages, not for the user of the commands.
  static func run<Value>(
    _ options: SourceOptions, runningSandbox: String? = nil, fleet: Fleet? = nil,
    log: Log? = nil, observers: [any RequestObserver]? = nil, trace: String? = nil,
    stopsOnSignals: Bool = false, isServer: Bool = false, _ body: (Backend) async throws -> Value
  ) async throws -> Value {
    let (recorder, traces) = (
      options.record.map { _ in HARRecorder() }, trace.map { _ in TraceRecorder() }
    )
    var files: [RecordingFile] = []
    if let path = options.record, let recorder {
      files.append(try RecordingFile(path) { try recorder.write(to: $0) })
    }
    if let trace, let traces {
      files.append(try RecordingFile(trace) { try traces.trace.write(to: $0) })
    }
    let cache = options.isCached ? try CacheFolder.responses() : nil
    let signals =
      stopsOnSignals || files.isEmpty
      ? nil : Task { [files] in await RecordingFile.writeAtSignals(files) }
    defer { signals?.cancel() }
    var network = Network(
      transport: .asyncHTTPClient, observers: observers ?? options.verbosity.observers,
      recorder: recorder, cache: cache, isOffline: options.offline)
    network.units = fleet?.take
    var backend = try await Backend(
      options, network, log ?? options.verbosity.log, runningSandbox, fleet, isServer: isServer)
    backend.traces = traces
    do {
      let value = try await body(backend)
      await backend.stop()
      for file in files { try file.write() }
      return value
    } catch {
      await backend.stop()
      for file in files { try? file.write() }
      throw error is StandardStream.WriteFailure ? error : Failure(error)
    }
  }

  private init(
    _ options: SourceOptions, _ network: Network, _ log: Log, _ runningSandbox: String?,
    _ fleet: Fleet?, isServer: Bool
  ) async throws {
    var network = network
    let key = Sensitive(tmdbKey: options.tmdbKey)
    if options.live {
      let token = try Self.token()
      let key = Self.tmdbKey(key)
      let missing = [
        token == nil ? "GITHUB_TOKEN" : nil, (try? key.get()) == nil ? "a key for TMDB" : nil,
      ].compactMap(\.self)
      self.init(
        .real, network, credentials: token.map { .bearer($0) }, tmdbKey: key.map(Optional.some),
        log: log,
        summary: (options.offline ? "the cache (offline) of " : "")
          + "api.github.com, itunes.apple.com and api.themoviedb.org"
          + (missing.isEmpty ? "" : " (without \(missing.joined(separator: " and ")))"))
    } else if options.isReplay {
      let paths = options.replay
      let recording = HAR(entries: try paths.flatMap { try Self.recording(at: $0).entries })
      let (replay, sandbox) = (Replay(log), Servers.sandbox(in: recording))
      network.isLive = false
      var streams = network
      network.transport = .har(recording, mode: .lenient) { replay.note($0, $1) }
      // Each recorded stream is used once: a reconnect after its end must not replay it.
      streams.transport = .har(recording)
      self.init(
        sandbox ?? .real, network, streams: sandbox == nil ? nil : streams, tmdbKey: .success(key),
        isFictitious: sandbox != nil, log: log,
        summary: "the recording\(paths.count == 1 ? "" : "s") " + paths.joined(separator: ", "))
    } else {
      // The sandbox doesn't run offline: its responses are in the cache under its address.
      let sandbox =
        options.offline || runningSandbox != nil
        ? nil : try await Self.sandbox(options.sandbox, port: options.sandboxPort)
      // Users who simulate failures want to see retries, and a local server needs no protection.
      network.retries.retryBudget = 1_000
      if let sandbox { network.serveVisitors(of: sandbox) }
      let address =
        runningSandbox ?? "http://127.0.0.1:\(options.sandboxPort ?? Sandbox.usualPort)"
      let servers = Servers(lookingLike: try BaseURL(sandbox?.baseURL ?? address))
      // The pages' visitors are not the user of the commands.
      let account: GitHubAccount? =
        isServer
        ? nil
        : GitHubAccount(
          StoredToken.value, renewedBy: .gitHub(servers.gitHub, over: network),
          save: { StoredToken.set($0, log) },
          client: { [network] in .gitHub(servers.gitHub, over: network, credentials: $0) })
      self.init(
        servers, network, streams: runningSandbox.map { _ in network }, account: account,
        tmdbKey: .success(key ?? Sensitive(Sandbox.tmdbKey)), sandbox: sandbox,
        signIns: sandbox == nil ? fleet : Fleet(), isFictitious: true, log: log,
        summary: runningSandbox != nil
          ? "the sandbox of another process"
          : sandbox == nil
            ? "the cache of the sandbox's responses (offline)" : "the sandbox (no network needed)")
    }
  }

  private typealias UserName = @Sendable () -> String?

  private init(
    _ servers: Servers, _ network: Network, streams: Network? = nil,
    credentials: StandardMiddleware? = nil, account: GitHubAccount? = nil,
    tmdbKey: Result<Sensitive?, Failure>, sandbox: Sandbox? = nil, signIns: Fleet? = nil,
    isFictitious: Bool = false, log: Log, summary: String
  ) {
    let isLive = network.isLive
    let streams = streams ?? (sandbox == nil ? nil : network)
    let catalogue: any MovieCatalogue =
      switch tmdbKey {
      case .success(let key):
        Logged(
          source: TMDBCatalogue(
            client: .tmdb(servers.tmdb, over: network, key: key), images: servers.posters),
          log: log, isReplay: !isLive)
      case .failure(let reason): ClosedCatalogue(reason: reason)
      }
    let folder = (try? CacheFolder.url) ?? FileManager.default.temporaryDirectory
    let host: @Sendable (Client, Bool, String, @escaping UserName) -> GitHubHost = {
      client, canChangeIssues, file, user in
      GitHubHost(
        client: client, streams: streams.map { .streams(servers.gitHub, over: $0) },
        canChangeIssues: canChangeIssues, user: user,
        outbox: .gitHub(at: folder.appending(path: file)) {
          log.write("The changes that wait to be sent can't be stored: \($0)")
        })
    }
    let exchange: @Sendable (GitHubHost) -> Task<Void, Never>? = { host in
      // A single server has nobody to tell.
      guard let fleet = signIns, network.units != nil else { return nil }
      return Task {
        await host.exchangeChanges { await fleet.exchange("changes", $0, receive: $1) }
      }
    }
    gitHub = account?.client ?? .gitHub(servers.gitHub, over: network, credentials: credentials)
    let ownHost = host(gitHub, true, "outbox", { account?.userName })
    _ = exchange(ownHost)
    var sources = DataSources(
      host: Logged(source: ownHost, log: log, isReplay: !isLive),
      catalogue: catalogue,
      store: Logged(
        source: ITunesStore(client: .client(of: servers.iTunes, over: network)), log: log,
        isReplay: !isLive))
    sources.kennel = sandbox.map { _ in
      KennelDogs(client: .client(of: servers.gitHub, over: network))
    }
    sources.isOffline = network.offlineFlags
    self.sources = sources
    accounts = signIns.map { [sources] fleet in
      Accounts(at: servers.gitHub, over: network, sources: sources, fleet: fleet) { client, user in
        let host = host(client, user.canChangeIssues, "outbox-\(user.name)") { user.name }
        return (Logged(source: host, log: log, isReplay: !isLive), exchange(host))
      }
    }
    // Recordings contain no images, so a replay also loads them from the real servers.
    images = ImageRelay(
      origins: servers.images,
      over: Network(
        transport: .asyncHTTPClient, cache: network.cache, isOffline: network.isOffline))
    self.isFictitious = isFictitious
    self.sandbox = sandbox
    self.summary = summary
  }

  private func stop() async {
    // The client stops first, because its idle connections would delay the sandbox's shutdown.
    try? await AsyncHTTPClientTransport.shutdownShared()
    await sandbox?.stop()
  }

  /// Reads a recording.
  static func recording(at path: String) throws(Failure) -> HAR {
    do {
      return try HAR(contentsOf: URL(filePath: path))
    } catch {
      // Reading a folder also fails.
      let isReadable = (try? Data(contentsOf: URL(filePath: path))) != nil
      throw Failure("\(error)", status: isReadable ? .dataError : .noInput)
    }
  }

  /// Returns the clients of the real servers; omits TMDB's client if there is no key.
  static func liveClients(
    tmdbKey: Sensitive?, observers: [any RequestObserver]
  ) throws(Failure) -> [Client] {
    let network = Network(transport: .asyncHTTPClient, observers: observers)
    let key: Sensitive?
    switch self.tmdbKey(tmdbKey) {
    case .success(let value): key = value
    case .failure(.missingTMDBKey): key = nil
    case .failure(let reason): throw reason
    }
    let gitHub = Client.gitHub(
      Servers.real.gitHub, over: network, credentials: try token().map { .bearer($0) })
    let tmdb = key.map { Client.tmdb(Servers.real.tmdb, over: network, key: $0) }
    return [gitHub, .client(of: Servers.real.iTunes, over: network)] + [tmdb].compactMap(\.self)
  }

  /// Returns the token; `nil` if it is empty or not set.
  private static func token() throws(Failure) -> String? {
    let token =
      ProcessInfo.processInfo.environment["GITHUB_TOKEN"]?.trimmingCharacters(
        in: .whitespacesAndNewlines) ?? ""
    guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure("GITHUB_TOKEN must be a token of visible ASCII characters.", status: .usage)
    }
    return token.isEmpty ? nil : token
  }

  /// Returns the key for the real TMDB, or the reason why it is missing: only movies need a key.
  private static func tmdbKey(_ option: Sensitive?) -> Result<Sensitive, Failure> {
    if let option { return .success(option) }
    let text =
      ProcessInfo.processInfo.environment["TMDB_API_KEY"]?.trimmingCharacters(
        in: .whitespacesAndNewlines) ?? ""
    guard !text.isEmpty else { return .failure(.missingTMDBKey) }
    guard let key = Sensitive(tmdbKey: text) else {
      return .failure(
        Failure("TMDB_API_KEY must be a key of visible ASCII characters.", status: .usage))
    }
    return .success(key)
  }
}

/// The base URLs of the APIs, and of the images in their responses.
private struct Servers {
  let gitHub: BaseURL
  let iTunes: BaseURL
  let tmdb: BaseURL
  let posters: String
  let images: [ImageOrigin]

  static let real = Servers(
    gitHub: "https://api.github.com", iTunes: "https://itunes.apple.com",
    tmdb: "https://api.themoviedb.org", posters: "https://image.tmdb.org/t/p",
    images: [
      "https://avatars.githubusercontent.com/", "https://image.tmdb.org/t/p/",
      "https://*.mzstatic.com/image/",
    ].compactMap { ImageOrigin($0) })

  /// Returns the sandbox whose responses are in a recording; `nil` if there are none, or if the
  /// recording contains responses of a real server.
  ///
  /// Recordings by browsers may contain other servers on this machine.
  static func sandbox(in recording: HAR) -> Servers? {
    let urls = recording.entries.map(\.url)
    let apis = [real.gitHub, real.iTunes, real.tmdb].map { "\($0)/" }
    guard !urls.contains(where: { url in apis.contains { url.hasPrefix($0) } }) else { return nil }
    return urls.lazy.compactMap { $0.prefixMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/)?.output }
      .compactMap { try? BaseURL(String($0)) }.first.map { Servers(lookingLike: $0) }
  }
}

extension Servers {
  /// Creates one server that simulates all servers.
  init(lookingLike baseURL: BaseURL) {
    self.init(
      gitHub: baseURL, iTunes: baseURL, tmdb: baseURL, posters: "\(baseURL)/t/p",
      images: ImageRelay.sandboxPaths.compactMap { ImageOrigin("\(baseURL)\($0)") })
  }
}

/// A catalogue that throws an error with a reason.
private struct ClosedCatalogue: MovieCatalogue {
  let reason: Failure

  func movie(_ key: MovieKey) throws -> Movie? { throw reason }

  func movies(in list: MovieList, language: String, page: Int) throws -> Listing<Movie> {
    throw reason
  }
}

extension Failure {
  fileprivate static let missingTMDBKey = Failure(
    "TMDB needs an API key from https://www.themoviedb.org/settings/api: set TMDB_API_KEY, or "
      + "pass --tmdb-key.", status: .notAllowed)
}
