import Curlew
import CurlewAsyncHTTPClient
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// AsyncHTTPClient ends the process if the end of an upload reaches its connection pool after the connection's end.
///
/// `CURLEW_FUZZ` sends 5,000 uploads of each kind.
@Suite("Uploads to a server that closes each connection", .serialized, .timeLimit(.minutes(60)))
struct ClosedUploadTests {
  struct Kind: CustomTestStringConvertible {
    var size = 10
    var status = "200 OK"
    var method = HTTPRequest.Method.post
    var isSecure = false
    var resets = false
    var isRetrying = false

    var testDescription: String {
      "\(method) of \(size) bytes, \(status)" + (isSecure ? ", TLS" : "")
        + (resets ? ", reset" : "") + (isRetrying ? ", retrying" : "")
    }
  }

  /// Retries without waits.
  private static var retrying: StandardMiddleware {
    var policy = RetryPolicy()
    policy.random = { 0 }
    return .retrying(policy)
  }

  private static let kinds = [
    Kind(), Kind(size: 1_000_000), Kind(status: "201 Created", method: .put, isRetrying: true),
    Kind(size: 100_000, isSecure: true), Kind(resets: true),
  ]

  @Test(arguments: [2, 8, 64], kinds)
  func `each of several uploads at a time ends`(width: Int, kind: Kind) async throws {
    let root = kind.isSecure ? try TestCertificate.authority() : nil
    let response = "HTTP/1.1 \(kind.status)\r\nContent-Length: 2\r\n\r\nok"
    try await withEarlyServer(
      response, then: .takes(kind.size, resets: kind.resets), certificate: try root?.issue()
    ) { server, origin in
      try await withFile(kind.size) { file in
        let client = try Client.tls(origin, trusting: root) { _ in
        } configure: {
          $0.limits = .untimed
          if kind.isRetrying { $0.middleware = [Self.retrying] }
        }
        let count = Fuzz.size(100, full: 5_000)
        let responses = await withTaskGroup(of: Bool.self) { group in
          var responses = 0
          for number in 0..<count {
            if number >= width, await group.next() == true { responses += 1 }
            let body = number.isMultiple(of: 2) ? RequestBody.file(file) : stream(kind.size)
            group.addTask {
              await isResponse(client, Request(kind.method, "/x", body: body, decoding: .text))
            }
          }
          return await group.reduce(into: responses) { $0 += $1 ? 1 : 0 }
        }
        // A reset may overtake the response, and a connection may end just before it is reused.
        #expect(responses > 0)
      }
    }
  }

  private func isResponse(_ client: Client, _ request: Request<String>) async -> Bool {
    switch await client.result(of: request) {
    case .success(let text):
      #expect(text == "ok")
      return true
    case .failure(.transport(let failure)): #expect(failure.kind == .lost, "\(failure)")
    case .failure(let error): Issue.record(error)
    }
    return false
  }

  private func stream(_ size: Int) -> RequestBody {
    .stream(length: Int64(size)) {
      AsyncStream { continuation in
        continuation.yield(Data(count: size / 2))
        continuation.yield(Data(count: size - size / 2))
        continuation.finish()
      }
    }
  }

  private func withFile(_ size: Int, _ test: (URL) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(count: size).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await test(file)
  }
}
