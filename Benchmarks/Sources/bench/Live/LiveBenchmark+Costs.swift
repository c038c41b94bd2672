import CurlewLive
import Foundation

extension LiveBenchmark {
  // MARK: CPU

  /// What every state was sent as before: all of the markup.
  private struct Everything: Encodable {
    let html: String
    let title: String
    let url: String
    let isHistoryEntry = false
    let acknowledged = 1
  }

  func printTimes() async throws {
    print(
      """

      CPU time of the server for a keystroke, microseconds
      all: action and update over HTTP; list: without what the same costs over no rows, so rendering,
      dividing into fragments and comparing; before: rendering and JSON of all of the markup
      """)
    print("".left(12) + ["all", "list", "before", "list / before"].map { $0.right(14) }.joined())
    let none = try await update(over: 0)
    for count in [92, 1_000] {
      let all = try await update(over: count)
      let before = try everything(count)
      print(
        "\(count) rows".left(12) + all.text(0).right(14) + (all - none).text(0).right(14)
          + before.text(0).right(14) + ((all - none) / before).text().right(14))
    }
  }

  private func update(over count: Int) async throws -> Double {
    let client = try await client("/issues/\(count)")
    for index in 0..<30 { _ = try await client.act("term", "apple/\(index)") }
    let rounds = 300
    let start = try await figures().cpu
    for index in 0..<rounds { _ = try await client.act("term", "apple/swift-\(index)") }
    return (try await figures().cpu - start) / Double(rounds) * 1e6
  }

  private func everything(_ count: Int) throws -> Double {
    let page = try LiveRowsPage(.issues)
    var state = page.screen.initial
    state.count = count
    let rounds = 200
    var start = cpuTime()
    for index in 0..<(rounds + 20) {
      if index == 20 { start = cpuTime() }
      state.text = "apple/swift-\(index)"
      let everything = Everything(
        html: page.render(state).text, title: page.title(of: state), url: "/issues")
      _ = try JSONEncoder().encode(everything)
    }
    return (cpuTime() - start) / Double(rounds) * 1e6
  }

  // MARK: Memory

  func printMemory() async throws {
    print(
      """

      Allocated memory of the server for each browser, bytes (malloc)
      session: a document was loaded, and awaits its stream; connected: with the stream, its socket,
      and one update sent; patching: what of this there is only because of the rows
      """)
    print("".left(12) + ["session", "connected", "patching"].map { $0.right(14) }.joined())
    var none = 0.0
    // None goes before the end: what it gives back would be missing in the figures of the next.
    var clients: [LiveClient] = []
    for count in [0, 92, 1_000] {
      let (session, connected) = try await memory(with: count, &clients)
      if count == 0 { none = connected }
      print(
        "\(count) rows".left(12) + session.text(0).right(14) + connected.text(0).right(14)
          + (connected - none).text(0).right(14))
    }
    withExtendedLifetime(clients) {}
  }

  private func memory(
    with count: Int, _ clients: inout [LiveClient]
  ) async throws -> (session: Double, connected: Double) {
    let browsers = 250
    // What the first ones leave behind is the page's.
    for _ in 0..<5 {
      clients.append(try await client("/issues/\(count)"))
      _ = try await clients.last?.act("term", "apple/swif")
    }
    let start = try await figures().memory
    for _ in 0..<browsers {
      clients.append(try await LiveClient(http, origin, "/issues/\(count)"))
    }
    let loaded = try await figures().memory
    for client in clients.suffix(browsers) {
      try await client.connect()
      _ = try await client.act("term", "apple/swif")
    }
    let connected = try await figures().memory
    return ((loaded - start) / Double(browsers), (connected - start) / Double(browsers))
  }

  func figures() async throws -> LiveServer.Figures {
    let body = try await LiveClient.get(http, origin + "/figures").body
    return try JSONDecoder().decode(LiveServer.Figures.self, from: Data(body))
  }
}
