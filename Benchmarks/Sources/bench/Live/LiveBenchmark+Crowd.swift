import Foundation

extension LiveBenchmark {
  /// How many browsers look at a page on which nothing happens, and how many type.
  private static let (idle, active) = (10_000, 200)

  // MARK: Crowd

  /// Opens many streams, and measures how long an action takes meanwhile.
  func printCrowd() async throws {
    print(
      """

      \(Self.idle) idle sessions and \(Self.active) active ones, a keystroke a second over 92 rows
      (the server is in a process of its own; both processes need \(Self.idle + 1_000) open files: \
      ulimit -n)
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
    let typists = try await open(Self.active, at: "/issues/92")
    let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for (index, typist) in typists.enumerated() {
        let typist = Unchecked(value: typist)
        group.addTask {
          // Spread over the second, as people are.
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

  /// A client that one task uses after another.
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
