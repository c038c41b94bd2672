import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Damaged bodies over a connection: each leads to an error or to the original body; none hangs.
@Suite("Damaged bodies are no success", .timeLimit(.minutes(10)))
struct ContentCodingFuzzTests {
  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func `damaged body is an error or harmless`(
    transport: TransportUnderTest, coded: Coded
  ) async throws {
    let data = Sample.lines(50)
    let body = try coded.body(of: data)
    let runs = Fuzz.runs(60, of: 100)
    let isTrusted = TransportUnderTest.all(but: .cutCoding).contains(transport)
    @Sendable func damaged(_ number: Int) -> (Data, Corruption) {
      var damage = Corruption(seed: Fuzz.seed() &+ UInt64(number))
      return (damage.applied(to: body), damage)
    }
    try await withTestServer { exchange in
      var (damaged, damage) = damaged(Int(exchange.path.dropFirst()) ?? 0)
      let framing = damage.element(of: [Framing.length, .chunked])
      let size = damage.element(of: [1, 10, 100, Int.max])
      try await exchange.respond(coding: coded.name, damaged, framing, by: size)
    } _: { server in
      let client = try transport.client(server) { $0.limits.bodySize = 1_000_000 }
      for number in 0..<runs {
        switch await client.result(of: Request<Data>.get("/\(number)")) {
        case .failure(.transport), .failure(.tooLarge): break
        case .success(let value):
          let damaged = damaged(number).0
          guard isTrusted, coded.isChecked(damaged, of: body) else { continue }
          if !Corruption.isHarmless(damaged, value, data) {
            Issue.record("Run \(number) of seed \(Fuzz.seed()) is a wrong success.")
          }
        case .failure(let error): throw error
        }
      }
    }
  }
}
