import CurlewFleet
import CurlewLive
import CurlewScreens
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

#if canImport(CurlewRedis)
  import CurlewRedis
#endif

/// A server with two pages, which tests start several times, and kill.
///
/// Its arguments are the secret of ``SigningKey`` and, for a server of a fleet, the address of Redis and a port. It prints
/// its port.
@main struct LiveProcess {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let port = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
    let fleet = try arguments.count > 3 ? Self.fleet(arguments[2], arguments[1], port) : nil
    let router = Router()
    router.add(LiveAsset.script)
    let key = try SigningKey(secret: arguments[1])
    router.add(DraftPage(), key: key, fleet: fleet) { document($0) }
    router.add(TallyPage(), key: key, fleet: fleet) { document($0) }
    var application = Application(
      router: router,
      server: .live(hosts: ["127.0.0.1"], proxies: try TrustedProxies(["127.0.0.1"])),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
      },
      logger: Logger(label: "live-process") { _ in SwiftLogNoOpLogHandler() })
    if let fleet { application.addServices(fleet) }
    try await application.runService()
  }

  private static func fleet(_ redis: String, _ secret: String, _ port: Int) throws -> LiveFleet? {
    #if canImport(CurlewRedis)
      try LiveFleet(Fleet(RedisEngine(redis, secret: secret)), at: "127.0.0.1:\(port)")
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

/// A text written in a room, `/draft?room=7`, and a number; they are not in the address.
private struct Draft: Screen {
  enum Event: Sendable {
    case enter(String)
    case write(String)
    case add(Int)
  }

  struct State: Equatable, Sendable {
    var room = ""
    var text = ""
    var count = 0
  }

  let initial = State()

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .enter(let room): state.room = room
    case .write(let text): state.text = text
    case .add(let count): state.count += count
    }
  }
}

private struct DraftPage: LivePage {
  let path = "/draft"
  let screen = Draft()

  func events(for query: LiveQuery, in state: Draft.State) -> [Draft.Event] {
    [.enter(query["room"] ?? "")]
  }
  func event(for action: LiveAction) -> Draft.Event? {
    switch action.name {
    case "write": .write(action.value)
    case "add": .add(1)
    default: nil
    }
  }
  func address(of state: Draft.State) -> LiveAddress { LiveAddress(["room": state.room]) }
  func title(of state: Draft.State) -> String {
    "\(state.room): \(state.text)" + (state.count > 0 ? "+\(state.count)" : "")
  }
  func savedState(of state: Draft.State) -> String? { "\(state.count) \(state.text)" }
  func events(restoring kept: String, in state: Draft.State) -> [Draft.Event] {
    let parts = kept.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return [.add(Int(parts[0]) ?? 0), .write(String(parts[1]))]
  }
  func render(_ state: Draft.State, _ activity: ScreenActivity) -> HTML {
    // Safe: the test writes only digits and letters.
    HTML(trusted: "<p id=\"text\">\(state.text)</p>")
  }
}

/// A number that all visitors share.
private struct TallyPage: LivePage {
  struct Tally: Screen {
    struct State: Equatable, Sendable { var sum = 0 }

    let initial = State()

    func handle(_ event: Int, _ state: inout State, _ work: inout Work<State>) {
      state.sum += event
    }
  }

  let path = "/tally"
  let isShared = true
  let screen = Tally()

  func events(for query: LiveQuery, in state: Tally.State) -> [Int] { [] }
  func event(for action: LiveAction) -> Int? { Int(action.value) }
  func address(of state: Tally.State) -> LiveAddress { LiveAddress() }
  func title(of state: Tally.State) -> String { "tally: \(state.sum)" }
  func savedState(of state: Tally.State) -> String? { "\(state.sum)" }
  func events(restoring kept: String, in state: Tally.State) -> [Int] {
    Int(kept).map { [$0] } ?? []
  }
  func render(_ state: Tally.State, _ activity: ScreenActivity) -> HTML {
    HTML(trusted: "<p id=\"sum\">\(state.sum)</p>")
  }
}
