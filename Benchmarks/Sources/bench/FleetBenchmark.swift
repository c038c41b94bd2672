import CurlewFleet
import CurlewRedis
import Foundation

/// The time from an edit on one server to its value on another: in one process, and by Redis on a Unix socket.
enum FleetBenchmark {
  static func run() async throws {
    let shared = InProcessEngine()
    try await measure("in one process", [Fleet(shared), Fleet(shared)])
    let path = "/usr/bin/redis-server"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      return print("fleet: redis-server is not installed")
    }
    let socket = "/tmp/curlew-bench-\(ProcessInfo.processInfo.processIdentifier).sock"
    let redis = Process()
    redis.executableURL = URL(filePath: path)
    redis.arguments = ["--port", "0", "--unixsocket", socket, "--save", ""]
    redis.standardOutput = FileHandle.nullDevice
    try redis.run()
    defer { redis.terminate() }
    while !FileManager.default.fileExists(atPath: socket) {
      try await Task.sleep(for: .milliseconds(10))
    }
    let secret = String(repeating: "bench", count: 8)
    let servers = try (0..<2).map { _ in
      Fleet(try RedisEngine("unix://\(socket)", secret: secret))
    }
    try await measure("by Redis", servers)
  }

  private static func measure(_ name: String, _ servers: [Fleet]) async throws {
    var values = servers[1].values(of: "edit").makeAsyncIterator()
    var version = await values.next(isolation: nil)?.version ?? 0
    var times: [Duration] = []
    let clock = ContinuousClock()
    // The subscription may begin after the first edits, which then take until the next check.
    for round in 0..<5_100 {
      let start = clock.now
      version = try await servers[0].set("edit", [1], ifVersion: version, expires: .seconds(60))
        .version
      while let value = await values.next(isolation: nil), value.version < version {}
      if round >= 100 { times.append(start.duration(to: clock.now)) }
    }
    times.sort()
    func time(_ share: Double) -> String {
      let microseconds = times[Int(Double(times.count) * share)] / .microseconds(1)
      return "\(Int(microseconds.rounded())) µs"
    }
    print("fleet, an edit's way to another server, \(name): p50 \(time(0.5)), p99 \(time(0.99))")
  }
}
