#if os(macOS) || os(Linux)
  import CurlewTesting
  import Foundation
  import TestSupport
  import Testing

  /// What processes share by Redis, and what happens to them when Redis is gone, slow, full or wrong.
  @Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(
      if: NginxProcess.isExpected && RedisProcess.isExpected, "nginx or Redis is not installed"))
  struct FleetClusterTests {
    @Test
    func `An edit at one server shows at the others`() async throws {
      try await ClusterAPI().run { api in
        try await Cluster.run(3, isFleet: true, api: api) { cluster in
          let tabs = cluster.origins.map { Tab($0, at: "/note", page: "/note") }
          for tab in tabs {
            try await tab.open()
            try await tab.wait(for: "note: first")
          }
          for (index, text) in ["second", "third"].enumerated() {
            try await tabs[index].write(text)
            for tab in tabs { try await tab.wait(for: "note: \(text)") }
          }
        }
      }
    }

    @Test
    func `Four servers share a limit, and the refresh of a token`() async throws {
      let api = ClusterAPI()
      try await api.run { url in
        try await Cluster.run(4, isFleet: true, api: url) { cluster in
          #expect(try await cluster.texts("/calls/secret/25") == ["25", "25", "25", "25"])
          #expect(api.counts.refreshes == 1)
          // Twice the limit of 60 a minute; the rest is not sent.
          let sent = try await cluster.texts("/calls/limited/30").compactMap { Int($0) }
          #expect(sent.reduce(0, +) == api.counts.accepted)
          #expect(api.counts.refused == 0 && api.counts.accepted > 40, "\(api.counts)")
        }
      }
    }

    /// What happens to Redis, and its end.
    private enum Outage: CaseIterable {
      case killed, paused, cut, full, locked

      func begin(_ cluster: Cluster) async throws {
        let redis = try cluster.redis
        switch self {
        case .killed: await redis.stop()
        case .paused: redis.pause()
        case .cut: break
        case .full: try await redis.run(["CONFIG", "SET", "maxmemory", "1"])
        case .locked: try await redis.run(["CONFIG", "SET", "requirepass", "wrong"])
        }
        if self == .cut || self == .locked {
          let password = self == .locked ? "wrong" : nil
          for type in ["pubsub", "normal"] {
            try await redis.run(["CLIENT", "KILL", "TYPE", type], password: password)
          }
        }
      }

      func end(_ cluster: Cluster) async throws {
        let redis = try cluster.redis
        switch self {
        case .killed: try await cluster.restartRedis()
        case .paused: redis.resume()
        case .cut: break
        case .full: try await redis.run(["CONFIG", "SET", "maxmemory", "0"])
        case .locked:
          try await redis.run(["CONFIG", "SET", "requirepass", ""], password: "wrong")
        }
      }

      /// The beginning of the sentence in the log.
      var reason: String {
        switch self {
        case .killed, .cut: "Redis closed"
        case .paused: "The engine did not respond"
        case .full: "Redis has no memory"
        case .locked: "Redis "
        }
      }
    }

    @Test
    func `Each outage is logged once, and truth converges`() async throws {
      try await Cluster.run(3, isFleet: true) { cluster in
        let tabs = (0..<3).map { _ in Tab(cluster.origin, at: "/tally", page: "/tally") }
        for tab in tabs { try await tab.open() }
        var sum = 0
        func edit() async throws {
          for tab in tabs {
            try await tab.add()
            sum += 1
          }
          for tab in tabs { try await tab.wait(for: "tally: \(sum)") }
        }
        try await edit()
        for (index, outage) in Outage.allCases.enumerated() {
          try await outage.begin(cluster)
          try await logged(cluster, index + 1, "away", outage.reason)
          // The screen goes on meanwhile.
          if outage != .cut { try await edit() }
          try await outage.end(cluster)
          try await logged(cluster, index + 1, "back", "after")
          try await edit()
        }
        // A server that starts now has the same screen, and so has the next owner.
        try await cluster.restart(2)
        await cluster.kill(0)
        await cluster.kill(0)
        try await edit()
        for log in try await cluster.texts("/log") { #expect(log.isEmpty, "\(log)") }
      }
    }

    /// Waits until each process has logged a number of outages' beginnings or ends; there are not more.
    private func logged(
      _ cluster: Cluster, _ count: Int, _ event: String, _ reason: String
    ) async throws {
      while true {
        try Task.checkCancellation()
        let logs = try await cluster.texts("/log").map { log in
          log.split(separator: "\n").filter { $0.contains("engine is \(event)") }
        }
        for log in logs { #expect(log.count <= count, "\(log)") }
        guard logs.allSatisfy({ $0.count >= count }) else {
          try await Task.sleep(for: .milliseconds(20))
          continue
        }
        for log in logs { #expect(log.last?.contains(reason) == true, "\(log)") }
        return
      }
    }
  }
#endif
