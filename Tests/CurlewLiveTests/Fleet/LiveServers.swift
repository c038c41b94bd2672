import CurlewFleet
import CurlewLive
import CurlewTesting
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import TestSupport

/// Servers of a fleet in this process, each on a port of its own.
struct LiveServers: Sendable {
  struct Server: Sendable {
    let visitor: Visitor
    fileprivate let group: ServiceGroup

    /// Begins the graceful shutdown.
    func shutDown() async { await group.triggerGracefulShutdown() }
  }

  let servers: [Server]

  subscript(index: Int) -> Visitor { servers[index].visitor }

  /// Runs a body with servers of a page, and shuts them down.
  ///
  /// - Parameters:
  ///   - count: The number of servers.
  ///   - page: A closure that returns each server's page.
  ///   - visitors: A closure that returns each server's visitors.
  ///   - addresses: The addresses at which others reach the servers, where they are not the servers' own.
  ///   - key: The signing key.
  ///   - engine: The engine of the fleet.
  static func run<Page: LivePage>(
    _ count: Int = 2, _ page: @Sendable (Int) throws -> Page,
    visitors: (Int) -> LiveVisitors<Page.Visitor, BasicRequestContext> = { _ in anyone() },
    addresses: [Int: String] = [:], key: SigningKey = .random(),
    engine: InProcessEngine = InProcessEngine(), _ body: (LiveServers) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      var servers: [Server] = []
      for index in 0..<count {
        let port = freePort()
        let fleet = try LiveFleet(Fleet(engine), at: addresses[index] ?? "127.0.0.1:\(port)")
        let router = Router()
        router.add(try page(index), visitors: visitors(index), key: key, fleet: fleet) { document in
          HTML(
            trusted: "<!doctype html><html><head><title>\(document.title)</title></head>"
              + "<body>\(document.content.text)</body></html>")
        }
        let (running, isRunning) = AsyncStream.makeStream(of: Void.self)
        let application = Application(
          router: router, server: .live(proxies: try TrustedProxies(["127.0.0.1"])),
          configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
          onServerRunning: { _ in isRunning.yield() },
          logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(
          services: [fleet, application],
          logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        tasks.addTask { try await group.run() }
        for await _ in running { break }
        servers.append(Server(visitor: Visitor(origin: "http://127.0.0.1:\(port)"), group: group))
      }
      let all = LiveServers(servers: servers)
      do {
        try await body(all)
      } catch {
        for server in servers { await server.shutDown() }
        throw error
      }
      for server in servers { await server.shutDown() }
      try await tasks.waitForAll()
    }
  }
}
