import Foundation
import Hummingbird
import Logging
import ServiceLifecycle

/// A simulation of public web APIs on the loopback interface, with its own data.
///
/// The showcase, its tests and its benchmarks use it to run without network access and accounts. It
/// runs until ``stop()`` is called, even without a reference to it.
public final class Sandbox: Sendable {
  /// The preferred port of the showcase's sandbox.
  ///
  /// A fixed port keeps URLs, and thus cache entries, valid across restarts.
  public static let usualPort = 18_080

  /// The base URL without a trailing slash, such as `http://127.0.0.1:54321`.
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

  /// Starts a sandbox, and returns when it listens.
  ///
  /// - Parameters:
  ///   - options: The options; most of them can be changed later with ``update(_:)``.
  ///   - port: The port to listen on; 0 selects a free port.
  /// - Throws: ``Failure`` if listening fails.
  public static func start(
    _ options: Options = Options(), port: Int = 0
  ) async throws(Failure) -> Sandbox {
    // The socket layer would stop the process for a port above 16 bits.
    guard (0...65_535).contains(port) else {
      throw Failure(port, "a port must be between 0 and 65535")
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
    // Runs the server; ends after the listener and the last connection are closed.
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

  /// Stops listening, lets running requests finish without further latency, and releases the port.
  ///
  /// Further calls do nothing. Connections of clients that don't read their responses are closed
  /// after 2 s.
  public func stop() async { await stop(patience: ContinuousClock()) }

  /// Stops as ``stop()`` does; measures the 2 s with the given clock.
  package func stop(patience clock: any Clock<Duration>) async {
    await server.triggerGracefulShutdown()
    let patience = Task { [running] in
      do { try await clock.sleep(for: .seconds(2), tolerance: nil) } catch { return }
      running.cancel()
    }
    await running.value
    patience.cancel()
  }

  /// The `api_key` for the simulated TMDB; it is valid only there.
  public static let tmdbKey = "sandbox-sesame-1895"

  /// The full names of the simulated GitHub's repositories with the most issues, such as
  /// `apple/swift`.
  ///
  /// A search finds many more repositories, each with a few issues.
  public static var gitHubRepositories: [String] { Repository.listed.map(\.fullName) }

  /// The current options.
  public var options: Options { sites.options }

  /// The name of the request header field that contains the visitor.
  public static let visitorField = "Sandbox-Visitor"

  /// Returns the current options for a visitor: the visitor's own options, or the options for all.
  public func options(of visitor: String?) -> Options { sites.options(of: visitor) }

  /// The visitors that have their own options, oldest first.
  package var visitors: [String] { sites.visitors }

  /// The options of the visitors that have their own options.
  package var visitorOptions: [Options] { sites.visitorOptions }

  /// Changes the options for the requests of a visitor, identified by the field ``visitorField``;
  /// `nil` changes the options for all visitors without their own options.
  public func update(for visitor: String?, _ change: (inout Options) -> Void) {
    sites.update(for: visitor, change)
  }

  /// Changes the options while the sandbox runs; they apply to the next response.
  public func update(_ change: (inout Options) -> Void) { sites.update(change) }

  /// The newest 10,000 requests to the APIs, in order of arrival, excluding requests for images.
  public var requests: [LoggedRequest] { sites.log.entries }

  /// Empties ``requests``.
  public func forgetRequests() { sites.log.removeAll() }
}
