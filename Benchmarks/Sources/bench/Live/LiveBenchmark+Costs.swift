import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

extension LiveBenchmark {
  // MARK: CPU

  func printTimes() async throws {
    let empty = try await emptyPost()
    print(
      """

      CPU time of the server, microseconds, medians
      HTTP: an empty POST costs \(empty.text(0)); over HTTP: an action and its update, less that; page: less what the
      same costs over no rows; whole: the page without pieces, all of which is rendered for each state
      """)
    print(
      "".left(32)
        + ["over HTTP", "page", "whole", "page / whole"].map { $0.right(14) }.joined())
    let none = try await cost("/issues/0", of: ("term", { "apple/swift-\($0)" }))
    for count in [0, 92, 1_000] {
      for (name, action) in Self.actions where count > 0 || action.name == "" {
        let pieces = try await cost("/issues/\(count)", of: action)
        let whole = try await cost("/whole/issues/\(count)", of: action)
        print(
          "\(count) rows, \(name)".left(32) + (pieces - empty).text(0).right(14)
            + (pieces - none).text(0).right(14) + (whole - none).text(0).right(14)
            + ((pieces - none) / (whole - none)).text().right(14))
      }
    }
    try await printSharing()
  }

  /// Measures the cost of an additional browser that shows the same screen.
  private func printSharing() async throws {
    var clients: [LiveClient] = []
    var costs: [Double] = []
    for count in [1, 101] {
      while clients.count < count { clients.append(try await client("/shared/issues")) }
      var start = 0.0
      for index in 0..<110 {
        if index == 10 { start = try await figures().cpu }
        _ = try await clients[0].act("change", "\(index % 90)")
        for client in clients.dropFirst() { try await client.nextState() }
      }
      costs.append((try await figures().cpu - start) / 100 * 1e6)
    }
    print(
      "1,000 rows that browsers share, one changes: \(costs[0].text(0)) over HTTP for one browser, "
        + "\(((costs[1] - costs[0]) / 100).text(0)) for each of 100 more")
  }

  private typealias Action = (name: String, value: @Sendable (Int) -> String)

  private static var actions: [(String, Action)] {
    [
      ("keystroke", ("term", { "apple/swift-\($0)" })),
      ("another is picked", ("pick", { "\($0 % 90)" })),
      ("one changes", ("change", { "\($0 % 90)" })),
      // Alternately.
      ("20 are added, or removed", ("", { $0 % 2 == 0 ? "more" : "fewer" })),
    ]
  }

  private func cost(_ address: String, of action: Action) async throws -> Double {
    let client = try await client(address)
    func act(_ index: Int) async throws {
      let value = action.value(index)
      _ = try await action.name == "" ? client.act(value, "") : client.act(action.name, value)
    }
    return try await median { try await act($0) }
  }

  /// Returns the server's CPU time for a request, in microseconds: the median of batches, after a warm-up batch.
  private func median(_ request: (Int) async throws -> Void) async throws -> Double {
    var costs: [Double] = []
    for batch in 0...9 {
      let start = try await figures().cpu
      for index in 0..<60 { try await request(batch * 60 + index) }
      costs.append((try await figures().cpu - start) / 60 * 1e6)
    }
    return costs.dropFirst().sorted()[4]
  }

  private func emptyPost() async throws -> Double {
    var request = HTTPClientRequest(url: origin + "/empty")
    request.method = .POST
    request.body = .bytes(
      ByteBuffer(string: #"{"number":1,"name":"term","value":"apple/swift-1"}"#))
    return try await median { [request] _ in
      _ = try await http.execute(request, timeout: .seconds(30))
    }
  }

  // MARK: Memory

  func printMemory() async throws {
    print(
      """

      Allocated memory of the server for each browser, bytes (malloc)
      session: a document was loaded, and awaits its stream; connected: with the stream, its socket,
      and one update sent; patching: what of this there is only because of the rows
      """)
    print("".left(24) + ["session", "connected", "patching"].map { $0.right(14) }.joined())
    var none = 0.0
    // All clients stay until the end: memory that they release would distort the next figures.
    var clients: [LiveClient] = []
    for (name, address) in [
      ("0 rows", "/issues/0"), ("92 rows", "/issues/92"), ("1,000 rows", "/issues/1000"),
      ("1,000 rows, shared", "/shared/issues"),
    ] {
      let (session, connected) = try await memory(at: address, &clients)
      if none == 0 { none = connected }
      print(
        name.left(24) + session.text(0).right(14) + connected.text(0).right(14)
          + (connected - none).text(0).right(14))
    }
    withExtendedLifetime(clients) {}
    print("(of the 1,000 rows that are not shared, 16,000 bytes are the items themselves)")
  }

  private func memory(
    at address: String, _ clients: inout [LiveClient]
  ) async throws -> (session: Double, connected: Double) {
    let browsers = 100
    // The first clients allocate memory that the page keeps.
    for _ in 0..<5 {
      clients.append(try await client(address))
      _ = try await clients.last?.act("term", "apple/swif")
    }
    let start = try await figures().memory
    for _ in 0..<browsers { clients.append(try await LiveClient(http, origin, address)) }
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
