import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A stream ends for a cancelled task as if it were whole: what has come until then is no response.
@Suite(.timeLimit(.minutes(1)))
struct TruncatedBodyTests {
  private struct Stopped: Error {}

  private let clock = TestClock()
  private let transport: StreamingTransport
  private let waits = Waits()

  init() {
    transport = StreamingTransport()
  }

  private func client(
    _ transport: StreamingTransport, _ middleware: [any Middleware] = [],
    limits: (inout Limits) -> Void = { _ in }
  ) -> Client {
    Client(baseURL: "https://api.example.com") {
      $0.transport = transport
      $0.clock = clock
      $0.middleware = middleware
      $0.observers = [waits]
      limits(&$0.limits)
    }
  }

  private func begin(_ client: Client, _ transport: StreamingTransport? = nil) async
    -> Task<Result<String, Client.Error>, Never>
  {
    let transport = transport ?? self.transport
    let before = transport.bodies
    let task = Task { await client.result(of: Request<String>.get("/x")) }
    await eventually { transport.bodies > before }
    transport.send("half")
    return task
  }

  @Test func aCutBodyOfACancelledTaskIsNoSuccess() async {
    let task = await begin(client(transport))
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
  }

  @Test func aCutBodyOfACallWhoseTimeIsOverIsATimeout() async {
    let task = await begin(client(transport) { $0.idle = nil })
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(await task.value.failure?.timeoutFailure?.limit == .total)
  }

  @Test func aBodyThatPausesTooLongIsATimeoutWhateverItThrows() async {
    for error in [nil, Stopped()] as [(any Error)?] {
      let transport = StreamingTransport(errorWhenStopped: error)
      let client = client(transport) { ($0.total, $0.firstByte, $0.connect) = (nil, nil, nil) }
      let task = await begin(client, transport)
      // Again and again: what had arrived may be read at any moment, and begins the limit anew.
      let time = Task { [clock] in
        while !Task.isCancelled {
          clock.advance(by: .seconds(31))
          await Task.yield()
        }
      }
      defer { time.cancel() }
      #expect(await task.value.failure?.timeoutFailure?.limit == .idle)
    }
  }

  @Test func aCancelledBodyThatThrowsItsOwnErrorIsCancelled() async {
    let transport = StreamingTransport(errorWhenStopped: Stopped())
    let task = await begin(client(transport), transport)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
  }

  @Test func whoSharesATransferGetsNoCutBody() async throws {
    let client = client(transport, [.coalescing])
    let leader = await begin(client)
    let follower = Task { await client.result(of: Request<String>.get("/x")) }
    await eventually { waits.count == 1 }
    leader.cancel()
    #expect(await leader.value.failure?.isCancelled == true)
    await eventually { transport.bodies == 2 }
    transport.send("whole")
    transport.finish()
    #expect(try await follower.value.get() == "whole")
  }

  @Test func aMiddlewareThatStreamsABodyOnGivesNoCutOne() async {
    struct Streaming: Middleware {
      func send(
        _ request: OutgoingRequest, next: @escaping Next
      ) async throws(Client.Error) -> IncomingResponse {
        var response = try await next(request)
        let body = response.body
        response.body = ResponseBody(
          AsyncThrowingStream<Data, any Error> { continuation in
            let task = Task {
              for try await piece in body { continuation.yield(piece) }
              continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
          })
        return response
      }
    }
    let task = await begin(client(transport, [Streaming()]))
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
  }
}
