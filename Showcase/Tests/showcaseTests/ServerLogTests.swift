import Curlew
import CurlewTesting
import HTTPTypes
import Testing
import showcase

/// The log lines for API requests and page requests.
@Suite(.timeLimit(.minutes(1)))
struct ServerLogTests {
  private let lines = LogLines()
  private let stub = StubTransport()

  private func client() -> Client {
    .stubbed(by: stub) { $0.observers = [.server(lines.log), PageCostObserver()] }
  }

  @Test func `a request to an API is a line with its size and initiator`() async throws {
    stub.stub(.get, "/x", with: .json("[1]"))
    try await Initiator.$current.withValue(Initiator("a test")) {
      _ = try await client().send(Request<[Int]>.get("/x", query: ["token": "hunter2"]))
    }
    let line =
      #/api  GET https://api\.example\.com/x\?token=\*\*\* 200 in 0\.\d{3} s, 3 bytes, for a test/#
    #expect(lines.timeless.count == 1)
    #expect(lines.timeless.first?.wholeMatch(of: line) != nil, "\(lines.timeless)")
  }

  @Test func `a failure is a warning in one line`() async {
    stub.stub(
      .get, "/x", with: .json(#"{"message": "no\nsuch \u001b[31mthing"}"#, status: .notFound))
    _ = await client().result(of: Request<[Int]>.get("/x"))
    #expect(lines.timeless.count == 1)
    #expect(
      lines.timeless.first?.hasPrefix("api  warning: GET https://api.example.com/x failed in")
        == true)
    #expect(lines.timeless.first?.contains { $0.isNewline || $0 == "\u{1B}" } == false)
  }

  @Test func `a page costs the requests made for it`() async throws {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .json("[1]"))
    let (client, cost) = (client(), PageCost())
    #expect(cost.text == nil)
    _ = await PageCost.$current.withValue(cost) {
      await client.result(of: Request<[Int]>.get("/x"))
    }
    #expect(cost.text == "1 API call, 0 bytes")
    try await PageCost.$current.withValue(cost) {
      // In a task created during the page's request, as a screen's work is.
      try await Task { _ = try await client.send(Request<[Int]>.get("/x")) }.value
    }
    #expect(cost.text == "2 API calls, 3 bytes")
  }
}
