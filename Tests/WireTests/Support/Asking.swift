import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

extension StubResponse {
  /// The text that the conformance tests ask for.
  static let text = StubResponse.text("abcd")

  /// A response that nobody asked for, as text.
  static let wrong = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"

  static func text(_ text: String, status: HTTPResponse.Status = .ok) -> StubResponse {
    .data(Data(text.utf8), contentType: "text/plain", status: status)
  }
}

extension TransportUnderTest {
  /// Asks for something that is answered like this, then for something else.
  ///
  /// Whatever the first response was, the second request gets its own: nothing that was left on a
  /// connection responds to it.
  func result(
    of response: StubResponse, _ method: HTTPRequest.Method = .get,
    limits: @escaping @Sendable (inout Limits) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Result<String, Client.Error> {
    try await withFaultServer(sourceLocation: sourceLocation) { server in
      server.stub(method, "/x", with: response)
      server.stub(.get, "/next", with: .text("next"))
      let client = try client(server)
      let result = await client.result(
        of: Request<String>(method, "/x", decoding: .text).limits(limits))
      let next = await client.result(of: Request<String>.get("/next"))
      #expect((try? next.get()) == "next", "\(next)", sourceLocation: sourceLocation)
      return result
    }
  }

  /// Expects that a response is taken as this text.
  func expect(
    _ response: StubResponse, isTakenAs text: String = "abcd",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await result(of: response, sourceLocation: sourceLocation)
    #expect((try? result.get()) == text, "\(result)", sourceLocation: sourceLocation)
  }

  /// Expects that a response is an error of the transport.
  func expectFailure(
    of response: StubResponse, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await result(of: response, sourceLocation: sourceLocation)
    guard case .failure(.transport(let failure)) = result else {
      Issue.record("It was taken: \(result)", sourceLocation: sourceLocation)
      return
    }
    #expect(!failure.reason.isEmpty, sourceLocation: sourceLocation)
  }

  /// Expects a status as an error.
  func expectStatus(
    _ status: Int, of response: StubResponse, _ method: HTTPRequest.Method = .get,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await result(of: response, method, sourceLocation: sourceLocation)
    guard case .failure(.status(let failure)) = result else {
      Issue.record("No status: \(result)", sourceLocation: sourceLocation)
      return
    }
    #expect(failure.response.status.code == status, sourceLocation: sourceLocation)
  }
}
