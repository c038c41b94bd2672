import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

extension StubAnswer {
  /// The text that the conformance tests ask for.
  static let text = StubAnswer.text("abcd")

  /// An answer that nobody asked for, as text.
  static let wrong = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"

  static func text(_ text: String, status: HTTPResponse.Status = .ok) -> StubAnswer {
    .data(Data(text.utf8), contentType: "text/plain", status: status)
  }
}

extension TransportUnderTest {
  /// Asks for something that is answered like this, then for something else.
  ///
  /// Whatever the first answer was, the second request gets its own: nothing that was left on a
  /// connection answers it.
  func result(
    of answer: StubAnswer, _ method: HTTPRequest.Method = .get,
    limits: @escaping @Sendable (inout Limits) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Result<String, Client.Error> {
    try await withFaultServer(sourceLocation: sourceLocation) { server in
      server.stub(method, "/x", with: answer)
      server.stub(.get, "/next", with: .text("next"))
      let client = try client(server)
      let result = await client.result(
        of: Request<String>(method, "/x", decoding: .text).limits(limits))
      let next = await client.result(of: Request<String>.get("/next"))
      #expect((try? next.get()) == "next", "\(next)", sourceLocation: sourceLocation)
      return result
    }
  }

  /// Expects that an answer is taken as this text.
  func expect(
    _ answer: StubAnswer, isTakenAs text: String = "abcd",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await result(of: answer, sourceLocation: sourceLocation)
    #expect((try? result.get()) == text, "\(result)", sourceLocation: sourceLocation)
  }

  /// Expects that an answer is an error of the transport.
  func expectFailure(
    of answer: StubAnswer, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await result(of: answer, sourceLocation: sourceLocation)
    guard case .failure(.transport(let failure)) = result else {
      Issue.record("It was taken: \(result)", sourceLocation: sourceLocation)
      return
    }
    #expect(!failure.reason.isEmpty, sourceLocation: sourceLocation)
  }

  /// Expects a status as an error.
  func expectStatus(
    _ status: Int, of answer: StubAnswer, _ method: HTTPRequest.Method = .get,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let result = try await result(of: answer, method, sourceLocation: sourceLocation)
    guard case .failure(.status(let failure)) = result else {
      Issue.record("No status: \(result)", sourceLocation: sourceLocation)
      return
    }
    #expect(failure.response.status.code == status, sourceLocation: sourceLocation)
  }
}
