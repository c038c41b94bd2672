import CMemory
import CoreMetrics
import CurlewLive
import Foundation
import Hummingbird
import Logging
import NIOCore

/// A process that serves the pages, so that the client's memory and CPU time are not counted.
///
/// It prints its port, and serves its own figures at `/figures`, until its standard input closes.
enum LiveServer {
  /// The server's resource usage.
  struct Figures: Codable, Sendable {
    /// User and system time, in seconds.
    let cpu: Double
    /// Currently allocated memory, in bytes.
    let memory: Double
    /// Resident memory, in bytes.
    let resident: Double
    let sessions: Int
  }

  /// Runs a server with the default limits, or with limits for a crowd from a single address.
  static func run(isDefault: Bool) async throws {
    var limits = LiveLimits()
    if isDefault {
      // The usual limit of shells.
      var files = rlimit()
      getrlimit(openFiles, &files)
      files.rlim_cur = 1_024
      setrlimit(openFiles, &files)
      // Shortened, so that abandoned sessions end within a minute.
      limits.idleTime = .seconds(30)
    }
    var connections = LiveServerLimits()
    if !isDefault {
      (limits.sessions, limits.sessionsPerClient) = (20_000, 20_000)
      (connections.connections, connections.streams) = (20_000, 20_000)
      (connections.connectionsPerClient, connections.streamsPerClient) = (20_000, 20_000)
      (limits.connectTime, limits.idleTime) = (.seconds(3_600), .seconds(3_600))
    }
    let sessions = SessionCount()
    MetricsSystem.bootstrap(sessions)
    let router = Router()
    router.add(LiveAsset.script)
    router.get("/figures") { _, _ in
      let figures = Figures(
        cpu: cpuTime(), memory: Double(bytes_allocated()), resident: residentMemory(),
        sessions: sessions.sum)
      return ByteBuffer(bytes: try JSONEncoder().encode(figures))
    }
    router.post("/empty") { request, _ in
      var request = request
      _ = try await request.collectBody(upTo: 65_536)
      return HTTPResponse.Status.noContent
    }
    let pages = try [
      LiveRowsPage(.issues), LiveRowsPage(.movies), LiveRowsPage(.issues, isWhole: true),
      LiveRowsPage(.issues, isShared: true),
    ]
    for page in pages {
      router.add(page, limits: limits) { document in
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
          // Standard input closes when the parent process ends for any reason.
          while readLine() != nil {}
          exit(0)
        }
      }, logger: logger)
    try await application.run()
  }

  #if canImport(Glibc)
    private static var openFiles: __rlimit_resource_t { .init(RLIMIT_NOFILE.rawValue) }
  #else
    private static var openFiles: CInt { RLIMIT_NOFILE }
  #endif

  private static func residentMemory() -> Double {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }
}
