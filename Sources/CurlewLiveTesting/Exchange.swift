import CurlewTesting
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization

/// A request in progress, with the part of its response that has arrived.
final class Exchange: Sendable {
  struct State {
    var head: HTTPResponse?
    var body = ByteBuffer()
    var isFinished = false
  }

  let state = Mutex(State())
  private let task = Mutex<Task<Void, any Error>?>(nil)

  /// Starts a request.
  init(_ request: Request, on executor: TestExecutor, _ respond: @escaping Responding) {
    let task = executor.task { [self] in
      defer { state.withLock { $0.isFinished = true } }
      do {
        let response = try await respond(request)
        state.withLock { $0.head = response.head }
        try await response.body.write(Writer(exchange: self))
      } catch {
        // As a server does.
        state.withLock { $0.head = $0.head ?? HTTPResponse(status: .internalServerError) }
      }
    }
    self.task.withLock { $0 = task }
  }

  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// The status of the response that has begun.
  var status: Int? { state.withLock { $0.head?.status.code } }

  /// Ends the connection.
  func cancel() { task.withLock { $0 }?.cancel() }

  /// Removes and returns the next server-sent event.
  func nextEvent() -> (name: String, data: String)? {
    state.withLock { state in
      let text = String(buffer: state.body)
      guard let end = text.firstRange(of: "\n\n") else { return nil }
      state.body = ByteBuffer(substring: text[end.upperBound...])
      let lines = text[..<end.lowerBound].split(separator: "\n")
      func value(_ name: String) -> String {
        let line = lines.first { $0.hasPrefix("\(name):") } ?? ""
        return String(line.dropFirst(name.count + 1).drop { $0 == " " })
      }
      return (value("event"), value("data"))
    }
  }

  private struct Writer: ResponseBodyWriter {
    let exchange: Exchange

    func write(_ buffer: ByteBuffer) {
      exchange.state.withLock { _ = $0.body.writeImmutableBuffer(buffer) }
    }

    func finish(_ trailers: HTTPFields?) {}
  }
}

typealias Responding = @Sendable (Request) async throws -> Response

/// Returns a closure that responds to requests as a router in a server does.
func responder<Context: RequestContext>(of router: Router<Context>) -> Responding
where Context.Source == ApplicationRequestContextSource {
  let responder = router.buildResponder()
  return { request in
    var logger = Logger(label: "PageProbe") { _ in SwiftLogNoOpLogHandler() }
    logger[metadataKey: "hb.request.id"] = "probe"
    let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
    return try await responder.respond(to: request, context: Context(source: source))
  }
}
