import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A stream ends for a cancelled task as if it were complete: the partial body is no response.
@Suite(.timeLimit(.minutes(1)))
struct TruncatedBodyTests {
  private struct Stopped: Error {}

  private var (clock, stub) = stubOnTestClock()
  private let live = LiveBody()
  private let waits = Waits()

  private func client(
    _ middleware: [any Middleware] = [], limits: (inout Limits) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub) {
      $0.middleware = middleware
      $0.observers = [waits]
      limits(&$0.limits)
    }
  }

  private func begin(_ client: Client, _ live: LiveBody? = nil) async -> Call<String> {
    let live = live ?? self.live
    stub.stub(.get, "/x", with: live.response)
    let call = client.call(Request<String>.get("/x"))
    await eventually { live.count > 0 }
    live.send("half")
    return call
  }

  @Test func `a cut body of a cancelled task is no success`() async {
    let task = await begin(client())
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
  }

  @Test func `a cut body of a call whose time is over is a timeout`() async {
    let task = await begin(client() { $0.idle = nil })
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(await task.value.failure?.timeoutFailure?.limit == .total)
  }

  @Test func `a body that pauses too long is a timeout whatever it throws`() async {
    for error in [nil, Stopped()] as [(any Error)?] {
      let live = LiveBody(errorWhenStopped: error)
      let client = client() { ($0.total, $0.firstByte, $0.connect) = (nil, nil, nil) }
      let task = await begin(client, live)
      // Advances repeatedly: pieces that had arrived may be read at any moment, and each restarts the limit.
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

  @Test func `a cancelled body that throws its own error is cancelled`() async {
    let live = LiveBody(errorWhenStopped: Stopped())
    let task = await begin(client(), live)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
  }

  @Test func `who shares a transfer gets no cut body`() async throws {
    let client = client([.coalescing])
    let leader = await begin(client)
    let follower = client.call(Request<String>.get("/x"))
    await eventually { waits.count == 1 }
    leader.cancel()
    #expect(await leader.value.failure?.isCancelled == true)
    await eventually { live.count == 2 }
    live.send("whole")
    live.finish()
    #expect(try await follower.value.get() == "whole")
  }

  @Test func `a middleware that streams a body on gives no cut one`() async {
    let streaming = FunctionMiddleware { request, next throws(Client.Error) in
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
    let task = await begin(client([streaming]))
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
  }
}
