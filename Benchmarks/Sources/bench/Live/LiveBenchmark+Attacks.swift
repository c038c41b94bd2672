import AsyncHTTPClient
import Foundation

extension LiveBenchmark {
  /// Attacks a server with the default limits and 1,024 open files, and visits it at the same time.
  static func printAttacks() async throws {
    print(
      """

      A visitor (page, stream, one action; a new connection each time), while others attack; the server
      has 1,024 open files and the default limits, but sessions end after 30 s without a connection.
      Connections that it ends are made again after a second. 60 s after the attack:
      """)
    print(
      "".left(26)
        + ["first visit", "p50", "longest", "sessions", "RSS / before", "malloc"].map {
          $0.right(14)
        }
        .joined())
    let server = try Server("bench", ["live-server", "default"])
    defer { server.stop() }
    // The first visits allocate memory that the program keeps.
    for _ in 0..<50 { _ = try await visit(server) }
    try await line("none", visits(server))
    for attack in [Attack.slowHeads, .unreadStreams, .crowd] {
      let before = try await figures(server)
      attack.start(port: server.port)
      try await Task.sleep(for: .seconds(3))
      let times = try await visits(server)
      attack.stop()
      try await Task.sleep(for: .seconds(60))
      let after = try await figures(server)
      let share = after.resident / before.resident
      line(
        attack.name, times,
        [
          "\(after.sessions)", "\((after.resident / 1e6).text(0)) MB, \(share.text())",
          "\((after.memory / before.memory).text())",
        ])
    }
  }

  private static func line(_ name: String, _ times: [Duration], _ more: [String] = []) {
    let sorted = times.sorted()
    let columns = [times[0], sorted[sorted.count / 2], sorted[sorted.count - 1]].map(\.text)
    print(name.left(26) + (columns + more).map { $0.right(14) }.joined())
  }

  /// Visits a server 20 times in 10 seconds.
  private static func visits(_ server: Server) async throws -> [Duration] {
    var times: [Duration] = []
    for _ in 0..<20 {
      times.append(try await visit(server))
      try await Task.sleep(for: .milliseconds(500))
    }
    return times
  }

  private static func visit(_ server: Server) async throws -> Duration {
    try await connected(to: server) { benchmark in
      try await ContinuousClock().measure {
        _ = try await benchmark.client("/issues/92").act("term", "apple/swift")
      }
    }
  }

  private static func figures(_ server: Server) async throws -> LiveServer.Figures {
    try await connected(to: server) { try await $0.figures() }
  }

  private static func connected<Value: Sendable>(
    to server: Server, _ body: (LiveBenchmark) async throws -> Value
  ) async throws -> Value {
    let http = HTTPClient()
    do {
      let origin = "http://127.0.0.1:\(server.port)"
      let value = try await body(LiveBenchmark(http: http, origin: origin))
      try await http.shutdown()
      return value
    } catch {
      try await http.shutdown()
      throw error
    }
  }
}
