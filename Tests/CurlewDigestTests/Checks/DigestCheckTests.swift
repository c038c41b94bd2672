import Curlew
import CurlewDigest
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DigestCheckTests {
  private let stub = StubTransport()
  private static let right = DigestFieldTests.sha256
  private static let wrong = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
  private static let body = [#"{"hello": "#, "", #""world"}"#]

  private func client(required: Bool = false, _ before: [StandardMiddleware] = []) -> Client {
    .stubbed(by: stub) { $0.middleware = before + [.checkingDigests(required: required)] }
  }

  private func error(
    _ fields: HTTPFields, status: HTTPResponse.Status = .ok, required: Bool = false
  ) async -> Client.Error? {
    stub.stub(.get, "/x", with: .pieces(Self.body, status: status, fields))
    let range: HTTPFields = status == .partialContent ? [.range: "bytes=0-"] : [:]
    return await client(required: required).error(of: Request<Data>.get("/x", headerFields: range))
  }

  @Test func `digests are asked for`() async throws {
    stub.stub(.get, "/x", with: .data(Data()))
    try await client().send(Request<Void>.get("/x"))
    let fields = stub.requests[0].head.headerFields
    #expect(fields[.acceptEncoding] == "identity")
    #expect(fields[try #require(HTTPField.Name("Want-Content-Digest"))] == "sha-256=2, sha-512=1")
    #expect(fields[try #require(HTTPField.Name("Want-Repr-Digest"))] == "sha-256=2, sha-512=1")
    let own = Request<Data>(
      .get, "/x", headerFields: [.acceptEncoding: "gzip"], decoding: .data)
    _ = try await client().send(own)
    #expect(stub.requests[1].head.headerFields[.acceptEncoding] == "gzip")
  }

  @Test(arguments: [HTTPField.Name.contentDigest, .reprDigest])
  func `a body that matches passes and another fails`(name: HTTPField.Name) async {
    #expect(await error([name: Self.right]) == nil)
    #expect(await error([name: "\(Self.right), \(DigestFieldTests.sha512)"]) == nil)
    let error = await error([name: Self.wrong])
    #expect(error?.transportFailure?.kind == .digest)
    #expect(
      error?.transportFailure?.reason == "the body does not match its \(name.rawName) (sha-256)")
    // All of several digests are checked.
    let second = await self.error([name: "\(Self.right), sha-512=:AQI=:"])
    #expect(second?.transportFailure?.reason.contains("(sha-512)") == true)
  }

  @Test func `what can not be read is ignored`() async {
    #expect(await error([.contentDigest: "sha-256=:malformed"]) == nil)
    #expect(await error([.contentDigest: "md5=:AQI=:"]) == nil)
    #expect(await error([:]) == nil)
  }

  @Test func `required digests must be there`() async {
    #expect(await error([.reprDigest: Self.right], required: true) == nil)
    let missing = await error([:], required: true)
    #expect(missing?.transportFailure?.kind == .protocolError)
    #expect(missing?.transportFailure?.reason.contains("RFC 9530") == true)
    let unknown = await error([.contentDigest: "md5=:AQI=:"], required: true)
    #expect(unknown?.transportFailure?.kind == .protocolError)
    // The status error takes precedence over a correct, wrong or missing digest of the error's body.
    #expect(await error([:], status: .notFound, required: true)?.status == .notFound)
    #expect(await error([.contentDigest: Self.wrong], status: .notFound)?.status == .notFound)
  }

  @Test func `a part is not the representation`() async {
    let part: HTTPFields = [.contentRange: "bytes 5-22/100", .reprDigest: Self.wrong]
    #expect(await error(part, status: .partialContent) == nil)
    let checked = part.merging([.contentDigest: Self.wrong])
    #expect(await error(checked, status: .partialContent)?.transportFailure?.kind == .digest)
    let all: HTTPFields = [.contentRange: "bytes 0-17/18", .reprDigest: Self.wrong]
    #expect(await error(all, status: .partialContent)?.transportFailure?.kind == .digest)
  }

  /// The first response is cut off; the remaining response has the digest of the whole.
  @Test(arguments: [false, true])
  func `a resumed download is checked as a whole`(isRequired: Bool) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let text = Self.body.joined()
    let fields: HTTPFields = [.eTag: "\"1\"", .reprDigest: Self.right]
    let whole = StubResponse.pieces(Self.body, fields)
    let cut = StubResponse.responding { _ in
      IncomingResponse(
        head: HTTPResponse(status: .ok, headerFields: fields),
        body: ResponseBody {
          var start: Data? = Data(text.utf8.prefix(9))
          return {
            if let data = start.take() { return data }
            throw Client.TransportFailure(.lost, reason: "cut")
          }
        })
    }
    // The existing bytes don't belong to the whole.
    let rest = fields.merging([.contentRange: "bytes 9-\(text.count - 1)/\(text.count)"])
    let wrong = String(repeating: "x", count: text.count - 9)
    let ranged = StubResponse.pieces([wrong], status: .partialContent, rest)
    stub.stub(.get, "/x", with: cut, ranged, whole)
    var options = DownloadOptions()
    options.retryPolicy.random = { 0 }
    let downloaded = try await client(required: isRequired).download(
      .get("/x"), to: file, options: options)
    #expect(try Data(contentsOf: file) == Data(text.utf8))
    #expect(downloaded.resumedFrom == 0)
    #expect(stub.requests.map { $0.head.headerFields[.range] } == [nil, "bytes=9-", nil])
  }

  @Test func `responses without a body are not checked`() async throws {
    let fields: HTTPFields = [.reprDigest: Self.right]
    stub.stub(.head, "/x", with: .status(.ok, fields))
    try await client(required: true).send(Request<Void>.head("/x"))
    stub.stub(.get, "/x", with: .status(.noContent, fields))
    try await client(required: true).send(Request<Void>.get("/x"))
    stub.stub(.get, "/x", with: .status(.notModified, fields))
    let unchanged = Request<Void>.get("/x").accepting([304])
    try await client(required: true).send(unchanged)
  }

  @Test func `a decoded body is not checked`() async {
    let decoded = StubResponse.responding { _ in
      var response = IncomingResponse(
        head: HTTPResponse(status: .ok, headerFields: [.contentDigest: Self.wrong]),
        body: ResponseBody(Data("x".utf8)))
      response.isDecoded = true
      return response
    }
    stub.stub(.get, "/x", with: decoded)
    #expect(await client().error(of: Request<Data>.get("/x")) == nil)
    let error = await client(required: true).error(of: Request<Data>.get("/x"))
    #expect(error?.transportFailure?.reason.contains("decoded") == true)
  }

  @Test func `a damaged body is fetched again`() async throws {
    var policy = RetryPolicy()
    policy.baseDelay = .zero
    stub.stub(
      .get, "/x", with: .pieces(["damaged"], [.contentDigest: Self.right]),
      .pieces(Self.body, [.contentDigest: Self.right]))
    let data = try await client([.retrying(policy)]).send(Request<Data>.get("/x"))
    #expect(data == Data(Self.body.joined().utf8))
    #expect(stub.requests.count == 2)
  }

  @Test func `pieces pass before the end is checked`() async throws {
    let next: Middleware.Next = { request in
      let body = ResponseBody {
        var pieces = ["a", "b"][...]
        return { pieces.popFirst().map { Data($0.utf8) } }
      }
      return IncomingResponse(
        head: HTTPResponse(status: .ok, headerFields: [.contentDigest: Self.wrong]), body: body)
    }
    let head = HTTPRequest(method: .get, scheme: "https", authority: "a", path: "/")
    let request = OutgoingRequest(head: head, endpoint: Request<Data>.get("/"))
    let middleware = StandardMiddleware.checkingDigests()
    var chunks = try await middleware.send(request, next: next).body.makeAsyncIterator()
    #expect(try await chunks.next() == Data("a".utf8))
    #expect(try await chunks.next() == Data("b".utf8))
    // Repeated reads throw the same error.
    for _ in 0..<2 {
      await #expect(throws: Client.TransportFailure.self) { try await chunks.next() }
    }
  }
}

extension HTTPFields {
  fileprivate func merging(_ other: HTTPFields) -> HTTPFields { HTTPFields(Array(self) + other) }
}
