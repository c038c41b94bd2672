import Curlew
import CurlewAsyncHTTPClient
import Synchronization

/// An observer without effect, to measure the cost of the events.
struct IgnoringObserver: RequestObserver {
  func observe(_ event: RequestEvent) {}
}

/// Compares clients with and without observers.
enum ObserverBenchmark {
  static func run(rounds: Int) async throws {
    let server = try Server()
    defer { server.stop() }
    let base = try BaseURL("http://127.0.0.1:\(server.port)")
    func contender(_ name: String, _ observers: [any RequestObserver]) -> Comparison.Contender {
      let client = Client(baseURL: base) {
        $0.transport = .asyncHTTPClient
        $0.observers = observers
      }
      return .init(name: name, count: 19_200) {
        _ = try await client.send(Request<Repository>.get("/repos/\("apple")/\("swift")"))
      }
    }
    // Two contenders without observers show the noise.
    let comparison = try await Comparison(
      [
        contender("nobody listens", []), contender("nobody listens, again", []),
        contender("one listens", [IgnoringObserver()]),
        contender("a counter listens", [CountingObserver()]),
      ], inFlight: 64, rounds: rounds)
    comparison.printTable("64 in flight, 5 KB, with observers, median of \(rounds) rounds")
    print(
      """
      again / nobody, CPU:     \(comparison.spread(1, to: 0, \.cpu))
      one / nobody, CPU:       \(comparison.spread(2, to: 0, \.cpu)) (at most 1.03)
      a counter / nobody, CPU: \(comparison.spread(3, to: 0, \.cpu))
      """)
    try await AsyncHTTPClientTransport.shutdownShared()
  }

  /// Counts events and bytes in two numbers that all threads share.
  private final class CountingObserver: RequestObserver {
    private let events = Atomic(0)
    private let bytes = Atomic(0)

    func observe(_ event: RequestEvent) {
      events.add(1, ordering: .relaxed)
      if case .bytes(let count) = event.stage { bytes.add(count, ordering: .relaxed) }
    }
  }
}
