import CurlewLive
import showcase

/// The showcase's web server on loopback, which can be restarted on the same port.
actor PageServer {
  private let sources: DataSources
  private let accounts: Accounts?
  private let images: ImageRelay?
  private let controls: [LiveInspector.Control]
  private let log: Log
  private let clock: any Clock<Duration>
  private var running: Task<Void, Never>?
  private(set) var port = 0

  init(
    _ sources: DataSources, accounts: Accounts? = nil, images: ImageRelay? = nil,
    controls: [LiveInspector.Control] = [], log: Log = .silent,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.sources = sources
    self.accounts = accounts
    self.images = images
    self.controls = controls
    self.log = log
    self.clock = clock
  }

  /// Starts the server, and returns when it listens; a restart uses the same port.
  func start() async throws {
    let (listening, report) = AsyncThrowingStream<Int, any Error>.makeStream()
    running = Task { [sources, accounts, images, controls, log, clock, port] in
      do {
        try await runWebServer(
          sources, source: "Data from the sandbox", accounts: accounts,
          controls: controls, images: images,
          log: log, host: "127.0.0.1", port: port, clock: clock, stopsOnSignals: false,
          onListening: { report.yield($0) })
        report.finish()
      } catch {
        report.finish(throwing: error)
      }
    }
    for try await port in listening {
      self.port = port
      return
    }
  }

  func stop() async {
    running?.cancel()
    await running?.value
    running = nil
  }
}
