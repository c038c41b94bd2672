import AsyncHTTPClient
import CurlewLive
import Foundation
import NIOCore

/// Measures the traffic of live pages, the cost of an update, and the server's memory for each browser.
///
/// The pages belong to the benchmark and resemble the showcase's pages. A separate process serves them over a real
/// socket to a client that acts like the script. `BytesTests` has the figures for Chromium with the showcase.
struct LiveBenchmark {
  let http: HTTPClient
  let origin: String

  static func run() async throws {
    let server = try Server("bench", ["live-server"])
    defer { server.stop() }
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 20_000
    let http = HTTPClient(configuration: configuration)
    do {
      let benchmark = LiveBenchmark(http: http, origin: "http://127.0.0.1:\(server.port)")
      try await benchmark.printBytes()
      try await benchmark.printTimes()
      try await benchmark.printMemory()
    } catch {
      try await http.shutdown()
      throw error
    }
    try await http.shutdown()
    try await printCrowd()
  }

  // MARK: Bytes

  private func printBytes() async throws {
    print("\nBytes in the stream of events, without header fields")
    let issues = try await client("/issues/92")
    _ = try await issues.act("term", "apple/swift-")
    try await line("Keystroke over 92 rows", issues.act("term", "apple/swift-n"), most: 300)
    try await line("An issue is picked", issues.act("pick", "40"), most: 2_500)
    let movies = try await client("/movies/20")
    let rows = try LiveRowsPage(.movies).rows(20..<40)
    let own = try JSONEncoder().encode(rows).count
    try await line(
      "20 movies appended, \(own) of rows", movies.act("more", ""), most: own + 500)
    let many = try await client("/issues/1000")
    try await line("1,000 rows, one changes", many.act("change", "500"), most: 1_000)
    let document = try await LiveClient.get(http, origin + "/issues/92", coding: "gzip").size
    let script = try await LiveClient.get(http, origin + LiveAsset.script.path, coding: "gzip").size
    let opening = try await client("/issues/92").streamed
    line(
      "First visit: document \(document), script \(script), stream \(opening)",
      document + script + opening)
    print("(with header fields; the showcase adds styles and an icon, which BytesTests count)")
  }

  func client(_ address: String) async throws -> LiveClient {
    let client = try await LiveClient(http, origin, address)
    try await client.connect()
    return client
  }

  private func line(_ name: String, _ bytes: Int, most: Int? = nil) {
    print(name.left(58) + "\(bytes) B".right(10) + (most.map { "   (at most \($0))" } ?? ""))
  }
}
