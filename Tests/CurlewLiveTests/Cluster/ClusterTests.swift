#if os(macOS) || os(Linux)
  import CurlewTesting
  import Foundation
  import TestSupport
  import Synchronization
  import Testing

  /// Several processes behind nginx.
  @Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(
      if: NginxProcess.isExpected && RedisProcess.isExpected, "nginx or Redis is not installed"))
  struct ClusterTests {
    @Test
    func `tabs continue on the other process when one is killed`() async throws {
      try await Cluster.run(2) { cluster in
        let ends = try await useTabs(of: cluster) { await cluster.kill(0) }
        // Only the tabs of the killed process have reconnected.
        let moved = ends.count { $0.connections > 1 }
        #expect((1..<50).contains(moved), "\(moved)")
      }
    }

    @Test
    func `A fleet without stickiness loses no text in a kill`() async throws {
      try await Cluster.run(3, isFleet: true) { cluster in
        _ = try await useTabs(of: cluster) { await cluster.kill(0) }
      }
    }

    @Test
    func `A fleet's rolling restart loses no action`() async throws {
      try await Cluster.run(3, isFleet: true) { cluster in
        let ends = try await useTabs(of: cluster) {
          for index in 0..<3 { try await cluster.restart(index) }
        }
        #expect(ends.map(\.lost).reduce(0, +) == 0)
      }
    }

    @Test
    func `A shared screen goes on when its server is killed`() async throws {
      try await Cluster.run(3, isFleet: true) { cluster in
        // The first server that gets a request owns the screen.
        _ = try await Tab(cluster.origins[0], at: "/tally", page: "/tally").open()
        let tabs = (0..<3).map { _ in Tab(cluster.origin, at: "/tally", page: "/tally") }
        for tab in tabs { try await tab.open() }
        for (index, tab) in tabs.enumerated() {
          try await tab.add()
          // An edit in one tab shows in all, whichever server their requests reach.
          for other in tabs { try await other.wait(for: "tally: \(index + 1)") }
        }
        for round in 0..<2 {
          // The owner first.
          await cluster.kill(0)
          try await tabs[round].add()
          for tab in tabs { try await tab.wait(for: "tally: \(4 + round)") }
        }
      }
    }

    /// Alternates between both, because the machine may be busy: `FLEET_ACTIONS=30 make test FILTER=ClusterTests`.
    @Test(.enabled(if: actions > 0, "FLEET_ACTIONS is not set"))
    func `A fleet's action takes at most twice a sticky one's time`() async throws {
      try await Cluster.run(3) { sticky in
        try await Cluster.run(3, isFleet: true) { fleet in
          let clusters = [try await openTabs(of: sticky), try await openTabs(of: fleet)]
          var times: [[Duration]] = [[], []]
          for round in 0..<20 { times[round % 2] += try await add(in: clusters[round % 2]) }
          let (sticky, fleet) = (median(times[0]), median(times[1]))
          print("p50 of an action: sticky \(sticky), fleet \(fleet), \(fleet / sticky) times")
          #expect(fleet < sticky * 2)
        }
      }
    }

    private static let actions =
      Int(ProcessInfo.processInfo.environment["FLEET_ACTIONS"] ?? "") ?? 0

    private func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

    private func openTabs(of cluster: Cluster) async throws -> [Tab] {
      let tabs = (1...50).map { Tab(cluster.origin, room: $0) }
      for tab in tabs { try await tab.open() }
      return tabs
    }

    /// Lets each tab add at a user's pace; returns the times until a state includes the action.
    private func add(in tabs: [Tab]) async throws -> [Duration] {
      try await withThrowingTaskGroup(of: [Duration].self) { group in
        for tab in tabs {
          group.addTask {
            let before = await tab.times.count
            for _ in 0..<Self.actions {
              try await Task.sleep(for: .milliseconds(.random(in: 200...600)))
              try await tab.add()
            }
            return Array(await tab.times.dropFirst(before))
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }

    /// Lets 50 tabs write and count before, during and after a disturbance.
    func useTabs(
      of cluster: Cluster, while disturb: () async throws -> Void
    ) async throws -> [(connections: Int, lost: Int)] {
      let (written, isWritten) = AsyncStream.makeStream(of: Int.self)
      let (disturbed, end) = AsyncStream.makeStream(of: Never.self)
      let isDisturbed = Flag()
      let origin = cluster.origin
      return try await withThrowingTaskGroup(
        of: (room: Int, title: String, added: Int, connections: Int, lost: Int).self
      ) { group in
        for room in 1...50 {
          group.addTask {
            let tab = Tab(origin, room: room)
            try await tab.open()
            try await tab.write("a\(room)")
            isWritten.yield(room)
            // Some actions are in flight during the disturbance; each tab writes once more afterwards.
            var added = 0
            repeat {
              for text in ["b", "c"] { try await tab.write("a\(room)\(text)") }
              for _ in 0..<3 { try await tab.add() }
              added += 3
            } while !isDisturbed.isSet
            for await _ in disturbed {}
            try await tab.write("a\(room)bcd")
            return (room, await tab.title, added, await tab.connections, await tab.lost)
          }
        }
        var count = 0
        for await _ in written {
          count += 1
          if count == 50 { break }
        }
        try await disturb()
        isDisturbed.set()
        end.finish()
        var ends: [(connections: Int, lost: Int)] = []
        for try await tab in group {
          // No text is lost, no action is applied twice, and only those are lost whose server was killed before it could
          // send the state.
          #expect(tab.title == "\(tab.room): a\(tab.room)bcd+\(tab.added - tab.lost)")
          ends.append((tab.connections, tab.lost))
        }
        return ends
      }
    }
  }

  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }
#endif
