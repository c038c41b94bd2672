import AsyncHTTPClient
import Foundation

extension LiveBenchmark {
  /// The numbers of browsers that show an unchanging page, and of browsers whose users type.
  private static let (idle, active) = (10_000, 200)

  // MARK: Crowd

  /// Opens many streams, and measures the latency of actions under this load.
  ///
  /// The clients use the first core, and the server the second.
  static func printCrowd() async throws {
    let isPinned = pin(toCore: 0)
    let server =
      try isPinned
      ? Server("/usr/bin/taskset", ["-c", "1", CommandLine.arguments[0], "live-server"])
      : Server("bench", ["live-server"])
    defer { server.stop() }
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 20_000
    let http = HTTPClient(configuration: configuration)
    do {
      let benchmark = LiveBenchmark(http: http, origin: "http://127.0.0.1:\(server.port)")
      try await benchmark.printCrowd(isPinned: isPinned)
    } catch {
      try await http.shutdown()
      throw error
    }
    try await http.shutdown()
  }

  /// Restricts this process to a core; returns whether that succeeded.
  private static func pin(toCore core: Int) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/taskset")
    process.arguments = ["-acp", "\(core)", "\(ProcessInfo.processInfo.processIdentifier)"]
    process.standardOutput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private func printCrowd(isPinned: Bool) async throws {
    print(
      """

      \(Self.idle) idle sessions and \(Self.active) active ones, a keystroke a second over 1,000 rows
      (the server is in a process of its own, \(isPinned ? "each process on one core" : "not pinned to a core"); both \
      need \(Self.idle + 1_000) open files: ulimit -n)
      """)
    let start = try await figures().memory
    let clock = ContinuousClock()
    var clients: [LiveClient] = []
    let opening = try await clock.measure {
      clients = try await open(Self.idle, at: "/issues/0")
    }
    let kept = (try await figures().memory - start) / Double(Self.idle)
    print(
      "idle: all \(clients.count) connected after \(opening.text), \(kept.text(0)) B each (at most 30,000)"
    )
    let typists = try await open(Self.active, at: "/issues/1000")
    let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for (index, typist) in typists.enumerated() {
        let typist = Unchecked(value: typist)
        group.addTask {
          // Spread over the second, like real users' actions.
          try await Task.sleep(for: .milliseconds(5 * index))
          return try await Self.type(typist.value)
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted()
    }
    let percentile = { (share: Double) in times[Int(Double(times.count - 1) * share)].text }
    print(
      "active: \(times.count) actions, none refused; event to patch p50 \(percentile(0.5)), "
        + "p99 \(percentile(0.99)), longest \(percentile(1))")
    withExtendedLifetime(clients) {}
  }

  /// A client that several tasks use sequentially.
  private struct Unchecked: @unchecked Sendable {
    let value: LiveClient
  }

  private func open(_ count: Int, at address: String) async throws -> [LiveClient] {
    try await withThrowingTaskGroup(of: Unchecked.self) { group in
      var clients: [LiveClient] = []
      for index in 0..<count {
        if index >= 32, let client = try await group.next() { clients.append(client.value) }
        group.addTask { Unchecked(value: try await client(address)) }
      }
      for try await client in group { clients.append(client.value) }
      return clients
    }
  }

  private static func type(_ client: LiveClient) async throws -> [Duration] {
    let clock = ContinuousClock()
    var times: [Duration] = []
    var next = clock.now
    for index in 0..<10 {
      times.append(try await clock.measure { _ = try await client.act("term", "apple/\(index)") })
      next += .seconds(1)
      try await Task.sleep(until: next, clock: clock)
    }
    return times
  }
}

extension Duration {
  var text: String {
    formatted(.units(allowed: [.seconds, .milliseconds], width: .narrow))
  }
}
