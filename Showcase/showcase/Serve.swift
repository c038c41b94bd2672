import ArgumentParser
import CurlewFleet
import CurlewLive
import CurlewTerminal
import Foundation
import NIOCore
import Sandbox

#if canImport(CurlewRedis)
  import CurlewRedis
#endif

/// `showcase serve`: serves the pages.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the pages until Control-C.",
    discussion: """
      --json prints the line that tells that the server listens as an object with the keys pid (of \
      the process), sandbox (its address, or null), source (of the data), startedAt and url. \
      'showcase open' finds the server by the same object in a file.

      Exits with 0 when it is stopped, 64 for bad usage, 65 or 66 for a recording that can't \
      be read, and 69 or 77 when it can't listen on the address.
      """)

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 chooses a free port.")
  var port = 8080

  @Flag(name: .customLong("open"), help: "Open the pages in the browser.")
  var opensBrowser = false

  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "Share the pages with the other servers that use this Redis: redis://host:6379 or unix:/path.",
      discussion:
        "The servers forward requests to each other, so that any load balancer can be before them; "
        + "'make fleet' runs three. They use the sandbox that another process runs at "
        + "--sandbox-port. A user who signs in at one of them has signed in at all.",
      valueName: "address"))
  var redis: String?

  @OptionGroup(title: SourceOptions.title) var options: SourceOptions

  @OptionGroup var trace: TraceOptions

  /// Additional arguments from a shell's expansion of `--replay recordings/*.har`.
  @Argument(help: .hidden)
  var recordings: [String] = []

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port must be between 0 and 65535, not \(port).")
    }
    if redis != nil, port == 0 || ["0.0.0.0", "::"].contains(host) {
      throw ValidationError("--redis needs a --host and a --port that other servers can reach.")
    }
    guard !host.isEmpty else { throw ValidationError("--host needs an address.") }
  }

  func run() async throws {
    if let name = recordings.first, options.replay.isEmpty { throw Showcase.noCommand(name) }
    let (host, port, json, opensBrowser) = (host, port, output.json, opensBrowser)
    let log = Log.standardError
    let metrics = PrometheusMetrics.process
    let fleet = try self.fleet(log)
    let servers = try fleet.map {
      try LiveFleet($0, at: "\(host.contains(":") ? "[\(host)]" : host):\(port)")
    }
    var options = options
    options.replay += recordings
    // The verbose events include the information of the log lines, so only one of them is used.
    let logging = options.verbosity.verbose ? options.verbosity.observers : [.server(log)]
    try await Backend.run(
      options,
      runningSandbox: redis.map { _ in
        "http://127.0.0.1:\(options.sandboxPort ?? Sandbox.usualPort)"
      }, fleet: fleet, log: log, observers: logging + [PageCostObserver()],
      trace: trace.recordTrace,
      stopsOnSignals: true, isServer: true
    ) { backend in
      let (summary, sandbox) = (backend.summary, backend.sandboxURL)
      defer { RunningServer.withdraw() }
      do {
        try await runWebServer(
          backend.sources, source: "Data from \(backend.summary)",
          accounts: backend.accounts, controls: backend.controls,
          traces: backend.traces, key: Self.key(log), fleet: servers,
          metrics: {
            fleet?.metrics.record()
            return metrics.response
          },
          images: backend.images, log: log, host: host, port: port,
          onListening: { port in
            let authority = "\(host.contains(":") ? "[\(host)]" : host):\(port)"
            let server = RunningServer(
              sandbox: sandbox, source: summary, url: "http://\(authority)")
            do {
              try server.publish()
            } catch {
              log.write(
                "The server's file can't be written: 'showcase open' won't find it: \(error)")
            }
            let line = "Serving the showcase on \(server.url) against \(summary)."
            // A failed message must not stop the server.
            try? StandardStream.output.write(
              json
                ? server.json.jsonLine
                : "\(line) Press Control-C to stop.".printable + "\n")
            if opensBrowser { server.openBrowser(log) }
          })
      } catch {
        throw Failure(listening: error, host: host, port: port)
      }
    }
  }

  /// Returns the values of the servers that share a Redis; `nil` without one.
  private func fleet(_ log: Log) throws -> Fleet? {
    guard let redis else { return nil }
    #if canImport(CurlewRedis)
      do throws(FleetError) {
        let secret = (try? SigningKey.keptSecret(in: CacheFolder.url)) ?? ""
        var options = Fleet.Options()
        options.appVersion = Showcase.version
        return Fleet(try RedisEngine(redis, secret: secret), options: options) {
          log.write("\($0)")
        }
      } catch {
        throw Failure("\(error)", status: .usage)
      }
    #else
      throw Failure("--redis needs a build with hiredis (libhiredis-dev).", status: .unavailable)
    #endif
  }

  /// Returns the stored key, or a new key if the file can't be used, which is logged.
  private static func key(_ log: Log) -> SigningKey {
    do {
      return try .kept(in: CacheFolder.url)
    } catch {
      log.write("The signing key can't be stored: a restart loses the pages' states: \(error)")
      return .random()
    }
  }
}

extension Failure {
  /// Creates an error about an address that can't be listened on.
  init(listening error: any Error, host: String, port: Int) {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      self.init("Port \(port) is in use. Choose another with --port.", status: .unavailable)
    case EACCES, EPERM:
      self.init(
        "Permission denied for port \(port). Choose another with --port.", status: .notAllowed)
    case EADDRNOTAVAIL:
      self.init(
        "\(host) is not an address of this machine. Choose another with --host.",
        status: .unavailable)
    default:
      if error is SocketAddressError || error is SocketAddressError.UnknownHost {
        self.init("There is no host \(host). Choose another with --host.", status: .unavailable)
      } else {
        self.init("The pages can't be served: \(error)", status: .unavailable)
      }
    }
  }
}
