import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// An API of the processes: a note, a limit of 60 requests a minute, and a token that has to be refreshed.
final class ClusterAPI: Sendable {
  struct Counts {
    var accepted = 0
    var refused = 0
    var refreshes = 0
    /// The end of the minute that began with the first request.
    fileprivate var end: ContinuousClock.Instant?
    fileprivate var note = Data(#"{"id":1,"text":"first"}"#.utf8)
  }

  private let state = Mutex(Counts())
  var counts: Counts { state.withLock { $0 } }

  /// Runs a body with the address of the API.
  func run(_ body: (String) async throws -> Void) async throws {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: router(), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { port.yield($0.localAddress?.port ?? 0) },
      logger: Logger(label: "api") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await application.run() }
      for await port in ports {
        defer { group.cancelAll() }
        return try await body("http://127.0.0.1:\(port)")
      }
    }
  }

  private func router() -> Router<BasicRequestContext> {
    let router = Router()
    router.get("/note") { [self] _, _ in json(state.withLock { $0.note }) }
    router.put("/note") { [self] request, _ in
      let note = Data(try await request.body.collect(upTo: 1_000).readableBytesView)
      state.withLock { $0.note = note }
      return json(note)
    }
    router.get("/limited") { [self] _, _ in limited() }
    router.get("/secret") { [self] request, _ in
      guard request.headers[.authorization] == "Bearer new" else {
        return Response(status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
      }
      return json(Data("1".utf8))
    }
    router.post("/token") { [self] _, _ in
      state.withLock { $0.refreshes += 1 }
      // Requests with the old token arrive meanwhile.
      try await Task.sleep(for: .milliseconds(200))
      return Response(
        status: .ok, headers: [.contentType: "text/plain"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "new")))
    }
    return router
  }

  private func limited() -> Response {
    let now = ContinuousClock.now
    let (count, reset) = state.withLock { state in
      if state.end.map({ now >= $0 }) ?? true {
        (state.end, state.accepted) = (now + .seconds(60), 0)
      }
      if state.accepted < 60 { state.accepted += 1 } else { state.refused += 1 }
      return (state.accepted + state.refused, now.duration(to: state.end ?? now))
    }
    var response = json(Data("1".utf8))
    response.status = count > 60 ? .tooManyRequests : .ok
    response.headers[HTTPField.Name("RateLimit-Limit")!] = "60"
    response.headers[HTTPField.Name("RateLimit-Remaining")!] = "\(max(0, 60 - count))"
    response.headers[HTTPField.Name("RateLimit-Reset")!] =
      "\(Int((reset / .seconds(1)).rounded(.up)))"
    return response
  }

  private func json(_ data: Data) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}
