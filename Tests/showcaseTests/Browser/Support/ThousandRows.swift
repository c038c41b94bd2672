import CurlewLive
import CurlewScreens
import Hummingbird

/// 1,000 rows, each of which counts how often it was changed.
struct ThousandRows: Screen {
  var initial: [Int] { Array(repeating: 0, count: 1_000) }

  func handle(_ event: Int, _ state: inout [Int], _ work: inout Work<[Int]>) {
    if state.indices.contains(event) { state[event] += 1 }
  }
}

/// The rows in a browser.
struct ThousandRowsPage: LivePage {
  let screen = ThousandRows()
  var path: String { "/rows" }

  func events(for query: LiveQuery, in state: [Int]) -> [Int] { [] }

  func event(for action: LiveAction) -> Int? { Int(action.value) }

  func address(of state: [Int]) -> LiveAddress { LiveAddress() }

  func title(of state: [Int]) -> String { "Rows" }

  func render(_ state: [Int]) -> HTML {
    let rows = state.enumerated().map { index, count in
      """
      <li id="row-\(index)"><a href="/rows?row=\(index)" data-live-click="change" \
      data-live-value="\(index)">Row \(index) was changed <b>\(count)</b> times</a></li>

      """
    }
    return HTML(trusted: "<ol id=\"rows\">\n\(rows.joined())</ol>")
  }

  /// Serves the page until a body returns, which gets its origin.
  static func serve(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
    let router = Router()
    router.add(LiveAsset.script)
    router.add(ThousandRowsPage()) { document in
      HTML(
        trusted: """
          <!doctype html><html lang="en"><head><title>\(document.title)</title>\
          <link rel="icon" href="data:,">\(document.head.text)</head>\
          <body>\(document.content.text)</body></html>
          """)
    }
    let (ports, port) = AsyncStream<Int>.makeStream()
    let application = Application(
      router: router, server: .live(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await application.run() }
      group.addTask {
        guard let port = await ports.first(where: { _ in true }) else { return }
        try await body("http://127.0.0.1:\(port)")
      }
      try await group.next()
      group.cancelAll()
    }
  }
}
