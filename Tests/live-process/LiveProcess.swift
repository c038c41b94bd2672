import CurlewFleet
import CurlewLive
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

#if canImport(CurlewRedis)
  import CurlewRedis
#endif

/// A server with a few pages, which tests start several times, and kill.
///
/// Its arguments are `secret=` and, for a server of a fleet, `redis=` with the address of Redis, `port=`,
/// `host=` with the address at which the others reach it, and `api=` with the address of an API. It prints its port; `/log`
/// has the events of its fleet.
@main struct LiveProcess {
  static func main() async throws {
    var arguments: [String: String] = [:]
    for argument in CommandLine.arguments.dropFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1)
      arguments[String(parts[0])] = String(parts[1])
    }
    let (secret, port) = (arguments["secret"] ?? "", Int(arguments["port"] ?? "0") ?? 0)
    let (host, log) = (arguments["host"] ?? "127.0.0.1", EventLog())
    let shared = try arguments["redis"].flatMap { try Self.fleet($0, secret, log) }
    let fleet = try shared.map { try LiveFleet($0, at: "\(host):\(port)") }
    let router = Router()
    router.add(LiveAsset.script)
    let key = try SigningKey(secret: secret)
    router.add(DraftPage(), key: key, fleet: fleet) { document($0) }
    router.add(TallyPage(), key: key, fleet: fleet) { document($0) }
    var exchange: Task<Void, Never>?
    if let shared, let api = arguments["api"] {
      let api = try NotesAPI(api, shared)
      router.add(NotePage(store: api.store), key: key, fleet: fleet) { document($0) }
      router.get("/calls/:path/:count") { _, context in
        let path = try context.parameters.require("path")
        return await "\(api.calls(path, try context.parameters.require("count", as: Int.self)))"
      }
      exchange = Task { await api.exchange() }
    }
    router.get("/log") { _, _ in log.text }
    var application = Application(
      router: router,
      server: .live(
        hosts: host == "127.0.0.1" ? [host] : nil,
        proxies: try TrustedProxies(["127.0.0.1", "10.0.0.0/8"])),
      configuration: ApplicationConfiguration(
        address: .hostname(host == "127.0.0.1" ? host : "0.0.0.0", port: port)),
      onServerRunning: { channel in
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
      },
      logger: Logger(label: "live-process") { _ in SwiftLogNoOpLogHandler() })
    if let fleet { application.addServices(fleet) }
    try await application.runService()
    exchange?.cancel()
  }

  private static func fleet(_ redis: String, _ secret: String, _ log: EventLog) throws -> Fleet? {
    #if canImport(CurlewRedis)
      var options = Fleet.Options()
      // Longer than a busy machine takes, so that only what a test does to Redis is an outage.
      options.timeLimit = .seconds(2)
      options.retryInterval = .milliseconds(100)
      return try Fleet(
        RedisEngine(redis, secret: secret, timeLimit: options.timeLimit), options: options
      ) { log.add($0) }
    #else
      nil
    #endif
  }

  private static func document(_ document: LiveDocument) -> HTML {
    HTML(
      trusted: "<!doctype html><html><head><title>\(document.title)</title>\(document.head.text)"
        + "</head><body>\(document.content.text)</body></html>")
  }
}

/// The events of a fleet.
private final class EventLog: Sendable {
  private let lines = Mutex<[String]>([])
  var text: String { lines.withLock { $0.joined(separator: "\n") } }
  func add(_ event: FleetEvent) { lines.withLock { $0.append("\(event)") } }
}
