import Foundation

/// The speed and cost of a number of requests.
struct Measurement {
  var requestsPerSecond: Double
  /// The CPU time of this process, in seconds per 1,000 requests.
  var cpu: Double
  /// The median latency, in microseconds.
  var p50: Double
  /// The 99th percentile of the latency, in microseconds.
  var p99: Double

  /// Sends requests, with a given number in flight, and measures them.
  static func take(
    _ count: Int, inFlight: Int, _ send: @escaping @Sendable () async throws -> Void
  ) async throws -> Measurement {
    let share = count / inFlight
    let startCPU = cpuTime()
    let clock = ContinuousClock()
    let start = clock.now
    let sorted = try await withThrowingTaskGroup(of: [Double].self) { group in
      for _ in 0..<inFlight {
        group.addTask { @concurrent in
          var latencies: [Double] = []
          latencies.reserveCapacity(share)
          for _ in 0..<share {
            let begin = clock.now
            try await send()
            latencies.append(begin.duration(to: clock.now) / .microseconds(1))
          }
          return latencies
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }.sorted()
    let seconds = start.duration(to: clock.now) / .seconds(1)
    let cpu = cpuTime() - startCPU
    return Measurement(
      requestsPerSecond: Double(sorted.count) / seconds, cpu: cpu / Double(sorted.count) * 1_000,
      p50: sorted[sorted.count / 2], p99: sorted[sorted.count * 99 / 100])
  }

  /// Returns the median of each figure over several measurements.
  static func median(_ all: [Measurement]) -> Measurement {
    Measurement(
      requestsPerSecond: all.map(\.requestsPerSecond).median, cpu: all.map(\.cpu).median,
      p50: all.map(\.p50).median, p99: all.map(\.p99).median)
  }
}

extension [Double] {
  var median: Double { sorted()[count / 2] }
}

/// Returns the user and system time of this process in seconds.
func cpuTime() -> Double {
  var usage = rusage()
  #if os(Linux)
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  #else
    getrusage(RUSAGE_SELF, &usage)
  #endif
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Returns the peak resident size of this process in KB, without its children.
func peakMemory() throws -> Int {
  #if os(Linux)
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss / 1024
  #endif
}

extension Double {
  func text(_ digits: Int = 2) -> String { String(format: "%.\(digits)f", self) }
}

extension String {
  func left(_ width: Int) -> String {
    padding(toLength: max(width, count), withPad: " ", startingAt: 0)
  }
  func right(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
