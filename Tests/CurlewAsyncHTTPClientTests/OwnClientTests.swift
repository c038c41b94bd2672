import AsyncHTTPClient
import Curlew
import CurlewAsyncHTTPClient
import Testing

@Suite("An AsyncHTTPClient of the caller's", .timeLimit(.minutes(1)))
struct OwnClientTests {
  @Test
  func requestOfOneThatWasShutDownFails() async throws {
    let http = HTTPClient(configuration: .curlew)
    try await http.shutdown()
    let client = Client(baseURL: "http://127.0.0.1:9") {
      $0.transport = AsyncHTTPClientTransport(http)
    }
    guard case .transport(let failure) = try await client.failure(of: Request<Void>.get("/")) else {
      Issue.record("It is a failure of the transport.")
      return
    }
    #expect(failure.reason == "the HTTP client was shut down")
  }
}
