import Foundation
import Hummingbird
import Logging
import NIOCore

/// A look-alike of public web APIs on loopback, with data of its own.
///
/// It is here so that the showcase, its tests and its benchmarks need no network and no account.
/// It answers until ``stop()`` is called, even when nobody holds it any longer.
public final class Sandbox: Sendable {
  /// The address without a slash at its end, such as `http://127.0.0.1:54321`.
  public let baseURL: String

  private let pipeline: Pipeline
  private let connections: Connections
  private let listener: any Channel
  private let running: Task<Void, Never>

  private init(
    baseURL: String, pipeline: Pipeline, connections: Connections, listener: any Channel,
    running: Task<Void, Never>
  ) {
    self.baseURL = baseURL
    self.pipeline = pipeline
    self.connections = connections
    self.listener = listener
    self.running = running
  }

  /// Starts a sandbox and returns when it listens.
  ///
  /// - Parameters:
  ///   - options: How it behaves; most of it can be changed later with ``update(_:)``.
  ///   - host: The address to listen on.
  ///   - port: The port to listen on; 0 takes a free one.
  /// - Throws: ``Failure`` when an option makes no sense or the address can't be had.
  public static func start(
    _ options: Options = Options(), host: String = "127.0.0.1", port: Int = 0
  ) async throws(Failure) -> Sandbox {
    try options.validate()
    // Past 16 bits the socket layer would stop the process.
    guard (0...65_535).contains(port) else {
      throw .cannotListen(host: host, port: port, reason: "a port is between 0 and 65535")
    }
    let pipeline = Pipeline(options: options, site: Sites(anchor: options.now()))
    let connections = Connections()
    let (listening, report) = AsyncThrowingStream<any Channel, any Error>.makeStream()
    let application = Application(
      responder: CallbackResponder<BasicRequestContext> { request, _ in
        await pipeline.respond(to: request)
      },
      server: .http1(
        configuration: .init(additionalChannelHandlers: [connections.makeHandler()])),
      configuration: .init(address: .hostname(host, port: port)),
      onServerRunning: { report.yield($0) },
      logger: Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() }
    )
    // Runs the server; ends when the listener and the last connection are closed.
    let running = Task {
      do {
        try await application.run()
        report.finish()
      } catch {
        report.finish(throwing: error)
      }
    }
    do {
      for try await listener in listening {
        let authority = host.contains(":") ? "[\(host)]" : host
        let baseURL = "http://\(authority):\(listener.localAddress?.port ?? port)"
        pipeline.isListening(at: baseURL)
        return Sandbox(
          baseURL: baseURL, pipeline: pipeline, connections: connections, listener: listener,
          running: running)
      }
    } catch {
      throw .cannotListen(host: host, port: port, reason: "\(error)")
    }
    running.cancel()
    throw .cannotListen(host: host, port: port, reason: "the start was cancelled")
  }

  /// Stops listening, lets the answers under way finish without further latency, and frees the port.
  ///
  /// Calling it again does nothing. A client that does not read its answer is cut off after 2 s.
  public func stop() async { await stop(patience: ContinuousClock()) }

  /// Stops as ``stop()`` does, with the 2 s on a clock of the caller's.
  func stop(patience clock: any Clock<Duration>) async {
    pipeline.naps.end()
    // Fails when it is closed already, which is what was asked for.
    try? await listener.close().get()
    connections.quiesce()
    let patience = Task { [running] in
      do { try await clock.sleep(for: .seconds(2), tolerance: nil) } catch { return }
      running.cancel()
    }
    await running.value
    patience.cancel()
  }

  /// The key that the TMDB look-alike wants as `api_key`; it opens nothing else.
  public static let tmdbKey = "sandbox-sesame-1895"

  /// The full names of the GitHub look-alike's best-stocked repositories, such as `apple/swift`.
  ///
  /// A search finds many more, each with a few issues.
  public static var gitHubRepositories: [String] { Catalogue.repositories.map(\.fullName) }

  /// How the sandbox behaves at present.
  public var options: Options { pipeline.options }

  /// Changes the options while the sandbox runs; the next answer obeys the new ones.
  ///
  /// - Throws: ``Failure/invalidOption(_:)``, in which case nothing changes.
  public func update(_ change: (inout Options) -> Void) throws(Failure) {
    try pipeline.update(change)
  }

  /// The newest 10,000 requests to the APIs in the order in which they arrived; no pictures.
  public var requests: [LoggedRequest] { pipeline.log.entries }

  /// Empties ``requests``.
  public func forgetRequests() { pipeline.log.forget() }
}
