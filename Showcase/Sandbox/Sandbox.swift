import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// A look-alike of public web APIs on loopback, with data of its own.
///
/// It is here so that the showcase, its tests and its benchmarks need no network and no account.
/// It runs until ``stop()`` is called, even when nobody holds it any longer.
public final class Sandbox: Sendable {
  /// The port of the showcase's sandbox, where it is free: with it, the URLs survive a restart, and
  /// so does what a cache stored under them.
  public static let usualPort = 18_080

  /// The address without a slash at its end, such as `http://127.0.0.1:54321`.
  public let baseURL: String

  private let sites: Sites
  private let server: ServiceGroup
  private let running: Task<Void, Never>

  private init(baseURL: String, sites: Sites, server: ServiceGroup, running: Task<Void, Never>) {
    self.baseURL = baseURL
    self.sites = sites
    self.server = server
    self.running = running
  }

  /// Starts a sandbox and returns when it listens.
  ///
  /// - Parameters:
  ///   - options: How it behaves; most of it can be changed later with ``update(_:)``.
  ///   - port: The port to listen on; 0 takes a free one.
  /// - Throws: ``Failure`` when the address can't be listened on.
  public static func start(
    _ options: Options = Options(), port: Int = 0
  ) async throws(Failure) -> Sandbox {
    // Past 16 bits the socket layer would stop the process.
    guard (0...65_535).contains(port) else {
      throw Failure(port, "a port is between 0 and 65535")
    }
    let sites = Sites(options: options)
    let logger = Logger(label: "sandbox") { _ in SwiftLogNoOpLogHandler() }
    let (listening, started) = AsyncThrowingStream<Int, any Error>.makeStream()
    let application = Application(
      responder: CallbackResponder<BasicRequestContext> { request, _ in
        await sites.respond(to: request)
      },
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { started.yield($0.localAddress?.port ?? port) }, logger: logger)
    let server = ServiceGroup(services: [application], logger: logger)
    // Runs the server; ends when the listener and the last connection are closed.
    let running = Task {
      do {
        try await server.run()
        started.finish()
      } catch {
        started.finish(throwing: error)
      }
    }
    do {
      for try await port in listening {
        let baseURL = "http://127.0.0.1:\(port)"
        sites.isListening(at: baseURL)
        return Sandbox(baseURL: baseURL, sites: sites, server: server, running: running)
      }
    } catch {
      throw Failure(port, "\(error)")
    }
    running.cancel()
    throw Failure(port, "the start was cancelled")
  }

  /// Stops listening, lets the running requests finish without further latency, and frees the port.
  ///
  /// Calling it again does nothing. A client that does not read its response is cut off after 2 s.
  public func stop() async { await stop(patience: ContinuousClock()) }

  /// Stops as ``stop()`` does, with the 2 s on a clock of the caller's.
  package func stop(patience clock: any Clock<Duration>) async {
    await server.triggerGracefulShutdown()
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
  public static var gitHubRepositories: [String] { Repository.listed.map(\.fullName) }

  /// How the sandbox behaves at present.
  public var options: Options { sites.options }

  /// The name of the header field that names the visitor for whom a request is made.
  public static let visitorField = "Sandbox-Visitor"

  /// How the sandbox behaves to a visitor: as to all, until it is changed for that visitor.
  public func options(of visitor: String?) -> Options { sites.options(of: visitor) }

  /// The visitors that have options of their own, the oldest first.
  package var visitors: [String] { sites.visitors }

  /// The options of the visitors that have some of their own.
  package var visitorOptions: [Options] { sites.visitorOptions }

  /// Changes the options for one visitor's requests, which name it in ``visitorField``; `nil` changes the options of all
  /// visitors that have none of their own.
  public func update(for visitor: String?, _ change: (inout Options) -> Void) {
    sites.update(for: visitor, change)
  }

  /// Changes the options while the sandbox runs; the next response obeys the new ones.
  public func update(_ change: (inout Options) -> Void) { sites.update(change) }

  /// The newest 10,000 requests to the APIs in the order in which they arrived; no pictures.
  public var requests: [LoggedRequest] { sites.log.entries }

  /// Empties ``requests``.
  public func forgetRequests() { sites.log.removeAll() }
}
