import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct SampleTransportTests {
  private let sampled = Request<Int>.get("/x").sample(.json("7"))

  private func client(
    after delay: Duration = .zero, on clock: any Clock<Duration> = ContinuousClock()
  ) -> Client {
    Client(baseURL: "https://api.example.com/v1") {
      $0.transport = .samples(after: delay)
      $0.clock = clock
      $0.middleware = [.apiKey("key", query: "api_key")]
    }
  }

  @Test func `an endpoint's sample is its response`() async throws {
    #expect(try await client().send(sampled) == 7)
    let missing = Request<Int>.get("/x").sample(.status(.notFound))
    #expect(await client().result(of: missing).failure?.status == .notFound)
  }

  @Test func `a request without a sample fails and is named`() async {
    let error = await client().result(of: Request<Int>.get("/y")).failure
    guard case .invalidRequest(let failure) = error else {
      Testing.Issue.record("\(error as Any)")
      return
    }
    #expect(failure.request.contains("/v1/y") && failure.reason.contains("sample"))
  }

  @Test func `a redirect does not lead to the same sample`() async {
    let request = Request<Int>.get("/x").sample(
      Sample(status: .found, headerFields: [.location: "/z"]))
    let error = await client().result(of: request).failure
    guard case .invalidRequest(let failure) = error else {
      Testing.Issue.record("\(error as Any)")
      return
    }
    #expect(failure.request.contains("/z"))
  }

  @Test func `a delay is on the client's clock`() async throws {
    let clock = TestClock()
    let call = Task { try await client(after: .seconds(2), on: clock).send(sampled) }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    #expect(try await call.value == 7)
  }
}
