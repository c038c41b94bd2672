import Curlew
import CurlewAsyncHTTPClient
import CurlewSQLite
import Foundation
import HTTPTypes
import Synchronization

/// Compares responses from a cache with requests over loopback, without decoding.
enum CacheBenchmark {
  static func run(rounds: Int) async throws {
    let server = try Server()
    defer { server.stop() }
    let base = try BaseURL("http://127.0.0.1:\(server.port)")
    func client(_ cache: ResponseCache?) -> Client {
      Client(baseURL: base) {
        $0.transport = .asyncHTTPClient
        $0.cache = cache
      }
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (plain, memory) = (client(nil), client(.memory()))
    let database = client(.sqlite(at: folder.appending(path: "cache.sqlite")))
    for (title, path, count, goals) in [
      ("1 KB", "/user" as Path, 6_000, (5, 2)), ("583 KB", "/issues", 600, (20, 3)),
    ] {
      let request = Request<Data>.get(path)
      let comparison = try await Comparison(
        [
          .init(name: "request", count: count) { _ = try await plain.send(request) },
          .init(name: "memory hit", count: count * 10) { _ = try await memory.send(request) },
          .init(name: "SQLite hit", count: count * 5) { _ = try await database.send(request) },
          .init(name: "memory, 304", count: count) {
            _ = try await memory.send(request, cache: .reload)
          },
          .init(name: "SQLite, 304", count: count) {
            _ = try await database.send(request, cache: .reload)
          },
        ], inFlight: 1, rounds: rounds)
      comparison.printTable("\(title), 1 in flight, median of \(rounds) rounds")
      print(
        """
        memory hit / request, CPU:  \(comparison.spread(1, to: 0, \.cpu)) (at most 1/\(goals.0))
        SQLite hit / request, CPU:  \(comparison.spread(2, to: 0, \.cpu)) (at most 1/\(goals.1))
        memory, 304 / request, CPU: \(comparison.spread(3, to: 0, \.cpu))
        SQLite, 304 / request, CPU: \(comparison.spread(4, to: 0, \.cpu))
        """)
    }
    try await AsyncHTTPClientTransport.shutdownShared()
    for (name, cache) in [
      ("memory", ResponseCache.memory()),
      ("SQLite", .sqlite(at: folder.appending(path: "variants.sqlite"))),
    ] {
      let client = Client(baseURL: base) {
        $0.transport = Varying()
        $0.cache = cache
      }
      let number = Atomic(0)
      let figures = try await Measurement.take(4_000, inFlight: 1) {
        let language = "x-\(number.add(1, ordering: .relaxed).newValue % 400)"
        _ = try await client.send(
          Request<Data>.get("/variants", headerFields: [.acceptLanguage: language]))
      }
      print("400 variants of a URL, \(name): p50 \(figures.p50.text(0)) us (at most 1,000)")
    }
  }

  /// A transport whose response depends on the language.
  private struct Varying: Transport {
    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
      let fields: HTTPFields = [.cacheControl: "max-age=600", .vary: "Accept-Language"]
      return IncomingResponse(
        head: HTTPResponse(status: .ok, headerFields: fields),
        body: ResponseBody(Data(count: 1_000)))
    }
  }
}
