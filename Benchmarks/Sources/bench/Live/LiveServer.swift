import CMemory
import CurlewLive
import Foundation
import Hummingbird
import Logging
import NIOCore

/// A process that serves the pages, so that neither the client's memory nor its time is counted.
///
/// It prints its port, and tells its own figures at `/figures`, until its standard input closes.
enum LiveServer {
  /// What a server has used so far.
  struct Figures: Codable, Sendable {
    /// User and system time, in seconds.
    let cpu: Double
    /// Memory that is allocated now, in bytes.
    let memory: Double
  }

  static func run() async throws {
    var limits = LiveLimits()
    limits.sessions = 20_000
    var connections = LiveServerLimits()
    (connections.connections, connections.streams) = (20_000, 20_000)
    (connections.connectionsPerClient, connections.streamsPerClient) = (20_000, 20_000)
    (limits.connectTime, limits.idleTime) = (.seconds(3_600), .seconds(3_600))
    let router = Router()
    router.add(LiveAsset.script)
    router.get("/figures") { _, _ in
      let figures = Figures(cpu: cpuTime(), memory: Double(bytes_allocated()))
      return ByteBuffer(bytes: try JSONEncoder().encode(figures))
    }
    for kind in LiveRowsPage.Kind.allCases {
      router.add(try LiveRowsPage(kind), limits: limits) { document in
        HTML(
          trusted: """
            <!doctype html><html lang="en"><head><title>\(document.title)</title>\
            \(document.head.text)</head><body>\(document.content.text)</body></html>
            """)
      }
    }
    var logger = Logger(label: "bench")
    logger.logLevel = .critical
    let application = Application(
      router: router, server: .live(limits: connections),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
        Thread.detachNewThread {
          // Standard input closes when the parent process ends, however it ends.
          while readLine() != nil {}
          exit(0)
        }
      }, logger: logger)
    try await application.run()
  }
}
