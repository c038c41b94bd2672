import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct TransferMetricsTests {
  private struct Measuring: Transport {
    let metrics: TransferMetrics

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
      request.report(metrics)
      return IncomingResponse(
        head: HTTPResponse(status: .ok), body: ResponseBody(Data("1".utf8)))
    }
  }

  private func date(_ milliseconds: Double) -> Date {
    Date(timeIntervalSince1970: milliseconds / 1_000)
  }

  private var times: TransferMetrics.Times {
    var times = TransferMetrics.Times()
    times.nameLookup = (date(0), date(12))
    times.connect = (date(12), date(63))
    times.tls = (date(32), date(63))
    times.requestEnd = date(64)
    times.response = (date(166), date(170))
    return times
  }

  private func milliseconds(_ duration: Duration?) -> Int? {
    duration.map { Int(($0 / .milliseconds(1)).rounded()) }
  }

  @Test func `steps of a new connection do not overlap`() {
    let metrics = TransferMetrics(networkProtocol: "h2", isConnectionReused: false, times)
    #expect(
      [metrics.nameLookup, metrics.connect, metrics.tls, metrics.response, metrics.transfer]
        .map(milliseconds) == [12, 20, 31, 102, 4])
    #expect(
      "\(metrics)" == "h2, new connection: name 0.012 s, connect 0.020 s, TLS 0.031 s; "
        + "response 0.102 s, transfer 0.004 s")
  }

  @Test func `a reused connection was not opened`() {
    let metrics = TransferMetrics(networkProtocol: "h2", isConnectionReused: true, times)
    #expect(metrics.nameLookup == nil && metrics.connect == nil && metrics.tls == nil)
    #expect("\(metrics)" == "h2, reused connection; response 0.102 s, transfer 0.004 s")
  }

  @Test func `without TLS the whole time is for connecting`() {
    var times = times
    times.tls = (nil, nil)
    let metrics = TransferMetrics(networkProtocol: nil, isConnectionReused: false, times)
    #expect(milliseconds(metrics.connect) == 51 && metrics.tls == nil)
    #expect("\(metrics)".hasPrefix("new connection: name"))
  }

  @Test func `times that are missing or go back are none`() {
    var times = TransferMetrics.Times()
    times.connect = (date(5), nil)
    times.response = (date(9), date(2))
    let metrics = TransferMetrics(networkProtocol: nil, isConnectionReused: false, times)
    #expect(metrics == TransferMetrics())
  }

  @Test func `what a transport measures is an event of its attempt`() async throws {
    let log = EventLog()
    let metrics = TransferMetrics(networkProtocol: "h3", isConnectionReused: false, times)
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = Measuring(metrics: metrics)
      $0.observers = [log]
    }
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    let event = try #require(log.first("measured"))
    guard case .measured(metrics) = event.stage else { return #expect(Bool(false)) }
    #expect(event.attempt == 1)
    #expect("\(event)".hasSuffix(" \(metrics)"))
    #expect(log.problems == [] && log.open == 0)
  }
}
