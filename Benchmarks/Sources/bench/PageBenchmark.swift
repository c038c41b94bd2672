import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Compares clients on a page of 100 issues, where decoding takes most of the time.
enum PageBenchmark {
  static func run(rounds: Int) async throws {
    let server = try Server()
    defer { server.stop() }
    let base = try BaseURL("http://127.0.0.1:\(server.port)")
    let url = "\(base)/issues"
    let endpoint = { @Sendable (path: String) in Request<[Issue]>.get("/\(path)") }
    let client = Client(baseURL: base) {
      $0.transport = .asyncHTTPClient
      $0.jsonDecoder = JSONDecoder()
    }
    let fastClient = Client(baseURL: base) { $0.transport = .asyncHTTPClient }
    let http = HTTPClient()
    let sessionConfiguration = URLSessionConfiguration.ephemeral
    sessionConfiguration.httpMaximumConnectionsPerHost = 8
    sessionConfiguration.urlCache = nil
    let session = URLSession(configuration: sessionConfiguration)
    guard let target = URL(string: url) else { throw HTTPClientError.invalidURL }
    let sends: [(name: String, send: Clients.Send)] = [
      ("Curlew, JSONDecoder", { _ = try await client.send(endpoint("issues")) }),
      ("Curlew, FastJSONDecoder", { _ = try await fastClient.send(endpoint("issues")) }),
      (
        "raw AsyncHTTPClient",
        {
          let request = HTTPClientRequest(url: url)
          let response = try await http.execute(request, timeout: .seconds(60))
          let body = try await response.body.collect(upTo: 64 * 1024 * 1024)
          _ = try JSONDecoder().decode([Issue].self, from: Data(buffer: body))
        }
      ),
      (
        "raw URLSession",
        {
          let (data, _) = try await session.data(from: target)
          _ = try JSONDecoder().decode([Issue].self, from: data)
        }
      ),
      ("Curlew, nothing decoded", { _ = try await client.send(Request<Data>.get("/issues")) }),
    ]
    for inFlight in [1, 8] {
      let comparison = try await Comparison(
        sends.map { .init(name: $0.name, count: 240, send: $0.send) }, inFlight: inFlight,
        rounds: rounds)
      comparison.printTable(
        """
        \(inFlight) in flight, a page of 100 issues, 583 KB, raw clients with JSONDecoder, \
        median of \(rounds) rounds
        """)
      let fast = { comparison.spread(1, to: $0, \.requestsPerSecond) }
      print(
        """
        Curlew with FastJSONDecoder / raw URLSession + JSONDecoder, requests/s:      \(fast(3)) \
        (at least 3)
        Curlew with FastJSONDecoder / raw AsyncHTTPClient + JSONDecoder, requests/s: \(fast(2))
        Curlew with FastJSONDecoder / Curlew with JSONDecoder, requests/s:           \(fast(0))
        """)
    }
    try await http.shutdown()
    try await AsyncHTTPClientTransport.shutdownShared()
  }
}
