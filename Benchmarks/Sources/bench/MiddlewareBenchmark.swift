import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import CurlewJSON
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Synchronization

/// Compares a client with a chain of middlewares with a bare client.
enum MiddlewareBenchmark {
  static func run(rounds: Int) async throws {
    let server = try Server()
    defer { server.stop() }
    let base = try BaseURL("http://127.0.0.1:\(server.port)")
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    let http = HTTPClient(configuration: configuration)
    // Each request has a distinct URL: identical requests would share a transfer at almost no cost.
    let number = Number()
    let decoder = FastJSONDecoder()
    let token = "t0ken"
    let raw: Clients.Send = {
      var request = HTTPClientRequest(url: "\(base)/repos/apple/swift?n=\(number.next())")
      request.headers.add(name: "Accept", value: "application/json")
      request.headers.add(name: "User-Agent", value: "bench")
      request.headers.add(name: "Authorization", value: "Bearer t0ken")
      let response = try await http.execute(request, timeout: .seconds(60))
      guard response.status == .ok else { throw HTTPClientError.invalidURL }
      let body = try await response.body.collect(upTo: 64 * 1024 * 1024)
      _ = try decoder.decode(Repository.self, from: Data(buffer: body))
    }
    let bare = Client(baseURL: base) {
      $0.transport = .asyncHTTPClient
      $0.middleware = [.bearer(token)]
    }
    let chained = chainedClient(base, token)
    let send = { @Sendable (client: Client) async throws in
      _ = try await client.send(
        Request<Repository>.get("/repos/\("apple")/\("swift")", query: ["n": number.next()]))
    }
    for inFlight in [1, 64] {
      let count = inFlight == 1 ? 2_000 : 19_200
      let comparison = try await Comparison(
        [
          .init(name: "raw AsyncHTTPClient", count: count, send: raw),
          .init(name: "Curlew, bare", count: count, send: { try await send(bare) }),
          .init(name: "Curlew, with the chain", count: count, send: { try await send(chained) }),
        ], inFlight: inFlight, rounds: rounds)
      comparison.printTable(
        """
        \(inFlight) in flight, coalescing + retry + bearer + rate budget + concurrency + an observer, \
        5 KB, median of \(rounds) rounds
        """)
      print(
        """
        chain / bare, CPU:                       \(comparison.ratio(2, to: 1, \.cpu)) (at most 1.10 at 64)
        chain / bare, requests/s:                \(comparison.ratio(2, to: 1, \.requestsPerSecond))
        chain / raw AsyncHTTPClient, requests/s: \
        \(comparison.ratio(2, to: 0, \.requestsPerSecond)) (at least 0.85 at 64)
        chain / raw AsyncHTTPClient, CPU:        \(comparison.ratio(2, to: 0, \.cpu))
        """)
    }
    try await http.shutdown()
    try await AsyncHTTPClientTransport.shutdownShared()
  }

  private static func chainedClient(_ base: BaseURL, _ token: String) -> Client {
    Client(baseURL: base) {
      $0.transport = .asyncHTTPClient
      $0.middleware = [
        .coalescing, .retrying(),
        .bearer(BearerToken(access: Sensitive(token))) { _ in
          BearerToken(access: Sensitive(token))
        },
      ]
      $0.networkMiddleware = [.rateBudget(), .concurrency(64)]
      $0.observers = [IgnoringObserver()]
    }
  }

  /// Returns a function that sends a request through all middlewares.
  static func chain(port: Int) throws -> Clients.Send {
    let client = chainedClient(try BaseURL("http://127.0.0.1:\(port)"), "t0ken")
    let number = Number()
    return {
      _ = try await client.send(
        Request<Repository>.get("/repos/\("apple")/\("swift")", query: ["n": number.next()]))
    }
  }

  /// Counts requests.
  private final class Number: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
  }
}
