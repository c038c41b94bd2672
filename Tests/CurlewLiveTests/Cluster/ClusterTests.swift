#if os(macOS) || os(Linux)
  import CurlewTesting
  import Foundation
  import TestSupport
  import Testing

  /// Several processes behind nginx.
  @Suite(.timeLimit(.minutes(2)))
  struct ClusterTests {
    @Test(.enabled(if: NginxProcess.isExpected, "nginx is not installed"))
    func `tabs continue on the other process when one is killed`() async throws {
      _ = try #require(NginxProcess.path, "nginx is not installed")
      let cluster = try await Cluster()
      do {
        try await useTabs(of: cluster)
      } catch {
        await cluster.stop()
        throw error
      }
      await cluster.stop()
    }

    /// Lets 50 tabs write before, during and after the kill of a process.
    private func useTabs(of cluster: Cluster) async throws {
      let (written, isWritten) = AsyncStream.makeStream(of: Int.self)
      let (killed, kill) = AsyncStream.makeStream(of: Never.self)
      let origin = cluster.origin
      try await withThrowingTaskGroup(of: (title: String, connections: Int).self) { group in
        for room in 1...50 {
          group.addTask {
            let tab = Tab(origin, room: room)
            try await tab.open()
            try await tab.write("a\(room)")
            isWritten.yield(room)
            // Some actions are in flight during the kill; each tab writes once more afterwards.
            for text in ["b", "c"] { try await tab.write("a\(room)\(text)") }
            for await _ in killed {}
            try await tab.write("a\(room)bcd")
            return (tab.title, tab.connections)
          }
        }
        var count = 0
        for await _ in written {
          count += 1
          if count == 50 { break }
        }
        await cluster.kill(0)
        kill.finish()
        var ends: [(title: String, connections: Int)] = []
        for try await end in group { ends.append(end) }
        #expect(Set(ends.map(\.title)) == Set((1...50).map { "\($0): a\($0)bcd" }))
        // Only the tabs of the killed process have reconnected.
        let moved = ends.count { $0.connections > 1 }
        #expect((1..<50).contains(moved), "\(moved)")
      }
    }
  }
#endif
