import CurlewLive
import CurlewScreens
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// A server with one page, which tests start several times, and kill.
///
/// Its argument is the secret of ``SigningKey``. It prints its port.
@main struct LiveProcess {
  static func main() async throws {
    let router = Router()
    router.add(LiveAsset.script)
    router.add(DraftPage(), key: try SigningKey(secret: CommandLine.arguments[1])) { document in
      HTML(
        trusted: "<!doctype html><html><head><title>\(document.title)</title>\(document.head.text)"
          + "</head><body>\(document.content.text)</body></html>")
    }
    let application = Application(
      router: router,
      server: .live(hosts: ["127.0.0.1"], proxies: try TrustedProxies(["127.0.0.1"])),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
      },
      logger: Logger(label: "live-process") { _ in SwiftLogNoOpLogHandler() })
    try await application.runService()
  }
}

/// A text written in a room, `/draft?room=7`; the text is not in the address.
private struct Draft: Screen {
  enum Event: Sendable {
    case enter(String)
    case write(String)
  }

  struct State: Equatable, Sendable {
    var room = ""
    var text = ""
  }

  let initial = State()

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .enter(let room): state.room = room
    case .write(let text): state.text = text
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
    action.name == "write" ? .write(action.value) : nil
  }
  func address(of state: Draft.State) -> LiveAddress { LiveAddress(["room": state.room]) }
  func title(of state: Draft.State) -> String { "\(state.room): \(state.text)" }
  func savedState(of state: Draft.State) -> String? { state.text }
  func events(restoring kept: String, in state: Draft.State) -> [Draft.Event] { [.write(kept)] }
  func render(_ state: Draft.State, _ activity: ScreenActivity) -> HTML {
    // Safe: the test writes only digits and letters.
    HTML(trusted: "<p id=\"text\">\(state.text)</p>")
  }
}
