import Curlew
import CurlewAsyncHTTPClient
import CurlewSQLite
import Foundation

/// Compares responses from a cache with requests over loopback: the bytes, which nobody decodes.
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
            _ = try await memory.send(request, cache: .freshest)
          },
          .init(name: "SQLite, 304", count: count) {
            _ = try await database.send(request, cache: .freshest)
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
  }
}
