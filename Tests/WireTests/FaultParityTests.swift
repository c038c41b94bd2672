import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// A fault on a stub is seen as the same fault on a connection is, by a transport that can be
/// trusted.
@Suite("Faults of a stub are those of a connection", .timeLimit(.minutes(1)))
struct FaultParityTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let faults: [Fault]

    init(_ name: String, _ faults: Fault...) {
      (testDescription, self.faults) = (name, faults)
    }
  }

  static let cases = [
    Case("none"), Case("cut in the body", .cut(after: 3)),
    Case("cut after the head", .cut(after: 0)),
    Case("cut in the head", .cut(after: .head(8))), Case("cut at once", .cut(after: .nothing)),
    Case("cut after the response", .cut(after: .everything)),
    Case("cut of a chunked body", .chunked(), .cut(after: 6)),
    Case("cut of a close-delimited body", .closeDelimited, .cut(after: 3)),
    Case("reset at once", .reset(after: .nothing)), Case("reset in the body", .reset(after: 3)),
    Case("length too long", .contentLength(tooLongBy: 2)),
    Case("length that is no number", .contentLength("abc")),
    Case("negative length", .contentLength("-1")), Case("two lengths", .contentLength("6, 7")),
    Case("close-delimited", .closeDelimited), Case("HTTP/1.0", .http10),
    Case("chunks", .chunked(every: 4)), Case("trailers", .trailers([.eTag: "\"a\""])),
    Case("no chunk size", .brokenChunk(.size("xyz"))),
    Case("negative chunk size", .brokenChunk(.size("-6"))), Case("chunk size overflow", .hugeChunk),
    Case("huge chunk", .hugeChunk(announcing: 64 << 20)),
    Case("no line end", .chunked(every: 4), .brokenChunk(.noLineEnd)),
    Case("no last chunk", .brokenChunk(.noLastChunk)),
    Case("interim responses", .interim(100), .interim(102), .interim(103)),
    Case("no reason phrase", .noReasonPhrase), Case("no status line", .statusLine("ICY 200 OK")),
    Case("no header field", .headLine("no colon")),
    Case("both framings", .chunked(), .headLine("Content-Length: 6")),
    Case("endless fields", .endless(.headerFields)), Case("endless body", .endless(.body)),
    Case("endless trailers", .endless(.trailers)),
    Case("length too short", .contentLength(tooShortBy: 2)), Case("extra bytes", .extraBytes("!")),
    Case("another response first", .preceded(by: .json("1"))),
    Case("another response after it", .followed(by: .json("1"))),
  ]

  @Test(arguments: cases)
  func stubAndConnectionLookTheSame(one: Case) async throws {
    let response = StubResponse.json("\"abcd\"").with(one.faults)
    let stub = StubTransport()
    stub.stub(.get, "/x", with: response)
    let stubbed = await outcome(.stubbed(by: stub))
    try await withFaultServer { server in
      server.stub(.get, "/x", with: response)
      let real = await outcome(
        Client(baseURL: server.baseURL) {
          $0.transport = TransportUnderTest.asyncHTTPClient.transport
        })
      #expect(stubbed == real)
    }
  }

  private func outcome(_ client: Client) async -> String {
    switch await client.result(of: Request<String>.get("/x").limits { $0.bodySize = 1 << 20 }) {
    case .success(let value): value
    case .failure(.transport(let failure)):
      // What is not HTTP is told in the words of the parser that saw it.
      "\(failure.kind): " + failure.reason.prefix { $0 != "(" }.trimmingCharacters(in: .whitespaces)
    case .failure(.tooLarge): "too large"
    case .failure(let error): "\(error)"
    }
  }
}
