import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A middleware that calls `next` twice at the same time, like a middleware that resends a request when the first
/// response is late.
@Suite(.timeLimit(.minutes(1)))
struct HedgingTests {
  private var (clock, stub) = stubOnTestClock()
  private let first: StubGate
  private let second: StubGate
  private let heads = Level()

  init() {
    first = stub.hold(.get, "/1")
    second = stub.hold(.get, "/2")
  }

  /// Returns a client that sends a request twice and returns the first response; the path tells the requests apart.
  private func client(_ way: Way, returnsFirst: Bool = true) -> Client {
    let hedging = FunctionMiddleware { [heads] request, next throws(Client.Error) in
      let results = await withTaskGroup(of: Result<IncomingResponse, Client.Error>.self) { group in
        for number in 1...2 {
          var copy = request
          copy.head.path = "/\(number)"
          group.addTask { [copy] in
            do throws(Client.Error) { return .success(try await next(copy)) } catch {
              return .failure(error)
            }
          }
        }
        var results: [Result<IncomingResponse, Client.Error>] = []
        while let result = await group.next() {
          results.append(result)
          heads.rise()
          if returnsFirst, case .success = result { break }
        }
        group.cancelAll()
        return results
      }
      for result in results { if case .success = result { return try result.get() } }
      return try results[0].get()
    }
    return .stubbed(by: stub, way, [hedging])
  }

  private func begin(_ client: Client) async -> Call<Int> {
    let call = client.call(Request<Int>.get("/x"))
    await first.waitForRequests(1)
    await second.waitForRequests(1)
    return call
  }

  @Test(arguments: Way.allCases)
  func `the first response wins and the other transfer is stopped`(way: Way) async throws {
    let call = await begin(client(way))
    second.respond(with: .json("2"))
    #expect(try await call.value.get() == 2)
    await first.waitForCancellations(1)
  }

  @Test(arguments: Way.allCases)
  func `each has its own time to the first byte`(way: Way) async throws {
    let call = await begin(client(way, returnsFirst: false))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(20))
    // The second response's head ends the second time limit, but not the first one's.
    second.respond(with: .json("2"))
    await eventually { heads.now == 1 }
    clock.advance(by: .seconds(10))
    await first.waitForCancellations(1)
    #expect(try await call.value.get() == 2)
  }

  @Test(arguments: Way.allCases)
  func `the limits of both end both`(way: Way) async throws {
    let call = await begin(client(way))
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    #expect(await call.value.failure?.timeoutFailure?.limit == .firstByte)
    await first.waitForCancellations(1)
    await second.waitForCancellations(1)
  }

  @Test(arguments: Way.allCases)
  func `a body that pauses stops its own transfer alone`(way: Way) async throws {
    let pieces = StubGate()
    first.respond(with: .body(first: Data("[1,".utf8), heldBy: pieces))
    let both = FunctionMiddleware { request, next throws(Client.Error) in
      var (one, other) = (request, request)
      (one.head.path, other.head.path) = ("/1", "/2")
      let response = try await next(one)
      let late = Task { [other] () -> HTTPResponse.Status? in
        do throws(Client.Error) { return try await next(other).head.status } catch { return nil }
      }
      do {
        for try await _ in response.body {}
      } catch {
        // The first request is finished; the second is still in flight.
        guard let status = await late.value else { throw .cancelled }
        return IncomingResponse(
          head: HTTPResponse(status: status), body: ResponseBody(Data("2".utf8)))
      }
      throw .cancelled
    }
    let client = Client.stubbed(by: stub, way, [both]) { $0.limits.firstByte = nil }
    async let result = client.result(of: Request<Int>.get("/x"))
    await second.waitForRequests(1)
    await pieces.waitForRequests(1)
    await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    await pieces.waitForCancellations(1)
    #expect(second.cancelled == 0)
    second.respond(with: .json("2"))
    #expect(try await result.get() == 2)
  }
}
