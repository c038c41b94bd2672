import Curlew
import CurlewDigest
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The code of `CurlewDigest.md`.
@Suite(.timeLimit(.minutes(1)))
struct DigestPageTests {
  private let transport = StubTransport()

  @Test func `bodies are checked`() async throws {
    let mirror = Client(baseURL: "https://mirror.example") {
      $0.transport = transport
      $0.middleware = [.retrying(), .checkingDigests()]
    }
    let fields: HTTPFields = [.reprDigest: DigestField(of: Data("image".utf8)).description]
    transport.stub(
      .get, "/image",
      with: .sample(Sample(status: .ok, headerFields: fields, body: Data("image".utf8))))
    #expect(try await mirror.send(Request<String>.get("/image")) == "image")
  }

  @Test func `files are checked`() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "curlew-\(UUID())")
    try Data("image".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let (file, head) = (
      url,
      HTTPResponse(
        status: .ok, headerFields: [.reprDigest: DigestField(of: Data("image".utf8)).description])
    )
    if let digest = head.headerFields[.reprDigest].flatMap({ DigestField($0) }) {
      try await digest.check(file: file)  // throws(DigestField.FileError)
    }
  }

  @Test func `credentials are sent`() async throws {
    let camera = Client(baseURL: "https://camera.example") {
      $0.transport = transport
      $0.middleware = [.digestAuthentication(user: "admin", password: "s3cret")]
    }
    let challenge = #"Digest realm="camera", nonce="1", qop="auth", algorithm=SHA-256"#
    transport.stub(
      .get, "/image", with: .status(.unauthorized, [.wwwAuthenticate: challenge]), .status(.ok))
    try await camera.send(Request<Void>.get("/image"))
    #expect(transport.requests.count == 2)
  }

  @Test func `bodies are compressed`() async throws {
    let logs = Client(baseURL: "https://logs.example") {
      $0.transport = transport
      $0.middleware = [.gzip(), .contentDigest()]
    }
    transport.stub(.post, "/logs", with: .status(.ok))
    let body = RequestBody.data(Data(count: 10_000))
    try await logs.send(Request<Void>(.post, "/logs", body: body, decoding: .discarded))
    let fields = transport.requests[0].head.headerFields
    #expect(fields[.contentEncoding] == "gzip" && fields[.contentDigest] != nil)
  }
}
