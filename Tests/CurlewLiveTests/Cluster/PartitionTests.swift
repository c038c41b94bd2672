#if os(macOS) || os(Linux)
  import CurlewTesting
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// The seconds of the partition; 0 for none.
  private let partitionTime =
    Int(ProcessInfo.processInfo.environment["FLEET_PARTITION"] ?? "") ?? 0

  /// A server that reaches neither Redis nor the other servers, while browsers reach it; as root:
  /// `FLEET_PARTITION=10 make test FILTER=PartitionTests`, with the seconds.
  @Suite(
    .timeLimit(.minutes(5)), .enabled(if: partitionTime > 0, "FLEET_PARTITION is not set"))
  struct PartitionTests {
    @Test
    func `A partition loses no text and applies no action twice`() async throws {
      let network = try await ClusterNetwork(3)
      do {
        try await partition(network)
        await network.remove()
      } catch {
        await network.remove()
        throw error
      }
    }

    private func partition(_ network: ClusterNetwork) async throws {
      try await Cluster.run(3, isFleet: true, network: network) { cluster in
        // The server that is cut off owns the shared screen.
        try await Tab(cluster.origins[0], at: "/tally", page: "/tally").open()
        let counters = (0..<6).map { _ in Tab(cluster.origin, at: "/tally", page: "/tally") }
        for counter in counters { try await counter.open() }
        let added = Additions()
        let counting = counters.map { counter in
          Task {
            while !Task.isCancelled {
              added.count.withLock { $0 += 1 }
              try await counter.add()
            }
          }
        }
        let ends = try await ClusterTests().useTabs(of: cluster) {
          try await network.cut(0)
          try await Task.sleep(for: .seconds(partitionTime))
          try await network.cut(0, false)
          try await Task.sleep(for: .seconds(partitionTime))
        }
        print(
          "50 tabs: \(ends.map(\.connections).reduce(0, +)) connections,",
          "\(ends.map(\.lost).reduce(0, +)) actions lost, none applied twice, no text lost")
        for task in counting { task.cancel() }
        for task in counting { _ = try? await task.value }
        // All servers show one sum, to which each addition counts at most once.
        var sums: Set<Int> = []
        repeat {
          try await Task.sleep(for: .seconds(1))
          sums = Set(
            try await cluster.texts("/tally").compactMap { text in
              text.firstMatch(of: /id="sum">(\d+)</).flatMap { Int($0.1) }
            })
        } while sums.count != 1
        let sum = try #require(sums.first)
        print("shared screen: \(sum) of \(added.count.withLock { $0 }) additions, at all servers")
        #expect(sum <= added.count.withLock { $0 })
        for log in try await cluster.texts("/log") { print("log:", log) }
      }
    }
  }

  private final class Additions: Sendable {
    let count = Mutex(0)
  }
#endif
