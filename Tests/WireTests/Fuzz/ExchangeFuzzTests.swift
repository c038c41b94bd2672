import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// The number of body sources that were started and not released.
private let unreleased = Mutex(0)

/// For any server behaviour, each request ends by itself, with its own response or an error, and leaks nothing;
/// requests that the server did not process are retried.
///
/// There are no time limits, so that none hides a hang. `CURLEW_FUZZ=100000 make test FILTER=ExchangeFuzzTests`
/// runs it in full.
@Suite("Mutated exchanges", .serialized, .timeLimit(.minutes(180)))
struct ExchangeFuzzTests {
  private static let width = 8

  @Test func `http1`() async throws {
    try await run(Fuzz.runs(1_000, of: 2), certificate: nil, root: nil)
  }

  @Test func `http2`() async throws {
    let root = try TestCertificate.authority()
    try await run(Fuzz.runs(1_000, of: 2), certificate: try root.issue(), root: root)
  }

  private func run(_ count: Int, certificate: TestCertificate?, root: TestCertificate?) async throws
  {
    let server = ScriptServer(seed: Fuzz.seed())
    try await withScriptServer(server, certificate) { origin in
      // A new client for each batch, so that there are connections with and without a history.
      for start in stride(from: 0, to: count, by: 250) {
        let transport =
          root == nil ? AsyncHTTPClientTransport(tls: TLSSettings()) : try Self.transport(root)
        let client = Client(baseURL: try BaseURL(origin)) {
          $0.transport = transport
          $0.limits = .untimed
          $0.redirects = .doNotFollow
        }
        await withTaskGroup(of: Void.self) { group in
          for number in start..<min(count, start + 250) {
            if number >= start + Self.width { await group.next() }
            group.addTask {
              await check(number, client, server)
            }
          }
        }
        try await transport.shutdown()
      }
      await eventually { unreleased.withLock { $0 } == 0 }
      await eventually { server.openConnections == 0 }
    }
  }

  private static func transport(_ root: TestCertificate?) throws -> AsyncHTTPClientTransport {
    var tls = TLSSettings()
    if let root { tls.trust.roots = .only(try root.certificates) }
    return AsyncHTTPClientTransport(tls: tls)
  }

  private func check(
    _ number: Int, _ client: Client, _ server: ScriptServer
  ) async {
    var random = SeededGenerator(seed: Fuzz.seed() &+ UInt64(number))
    let kind = random.pick(0...5)
    let request = request(number, kind, &random)
    let isCancelled = random.chance(oneIn: 10)
    let yields = random.pick([random.pick(0...30), random.pick(0...1_000)])
    let result: Result<String, Client.Error>
    if isCancelled {
      let task = Task { await client.result(of: request) }
      for _ in 0..<yields { await Task.yield() }
      task.cancel()
      result = await task.value
    } else {
      result = await client.result(of: request)
    }
    let record = server.record(of: number)
    switch result {
    case .success(let text):
      #expect(
        text == "fine" || ScriptServer.mayBeHostile(number), "\(number): succeeded with \(text)")
    case .failure(let error):
      guard !isCancelled, !ScriptServer.mayBeHostile(number) else { return }
      // Closed without a byte: such a request is retried only on a reused connection, once, and only if it is safe to
      // repeat.
      let mayBeLost =
        record.last?.isSilent == true && (kind != 0 || !record.isReused || record.attempts > 1)
        // Streams beyond a GOAWAY never reach the script, so only the client knows of them.
        || record.attempts > 5 || "\(error)".contains("even after a retry")
      #expect(mayBeLost, "\(number), attempt \(record.attempts): \(error)")
    }
  }

  private func request(
    _ number: Int, _ kind: Int, _ random: inout SeededGenerator
  ) -> Request<String> {
    let body = Data(count: random.pick([1, 10, 5_000, 200_000]))
    let stream = RequestBody.stream(length: kind == 5 ? Int64(4 * body.count) : nil) {
      AsyncStream<Data> { continuation in
        unreleased.withLock { $0 += 1 }
        continuation.onTermination = { _ in unreleased.withLock { $0 -= 1 } }
        for _ in 0..<4 { continuation.yield(body) }
        continuation.finish()
      }
    }
    return switch kind {
    case 0: .get("/\(number)")
    case 1: .post("/\(number)", body: .data(body))
    case 2, 5: .post("/\(number)", body: stream)
    case 3: .post("/\(number)", headerFields: [.expect: "100-continue"], body: .data(body))
    default: .put("/\(number)", body: .data(body))
    }
  }
}
