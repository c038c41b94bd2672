import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Tests refetching a recording's requests.
@Suite(.timeLimit(.minutes(1)))
struct RefetchingTests {
  private let stub = StubTransport(clock: TestClock())

  private func client(_ baseURL: BaseURL = "https://api.example.com/v1") -> Client {
    .stubbed(by: stub, baseURL: baseURL) {
      $0.headerFields[.userAgent] = "test"
      $0.middleware = [.apiKey("new-key", query: "api_key"), .bearer("new-token")]
    }
  }

  private func recording(_ urls: String...) -> HAR {
    HAR(entries: urls.map { .init(.get, $0, response: .json(#"{"a": 1}"#)) })
  }

  @Test func `responses of now are compared with the recorded ones`() async throws {
    let old = recording("https://api.example.com/v1/x?q=1", "https://api.example.com/y")
    stub.stub(.get, "/**", with: .json(#"{"a": "1"}"#), .json("[]", status: .notFound))
    let now = try await old.refetched(using: client())
    #expect(now.old == old && now.failures.isEmpty)
    #expect(now.new.entries.map(\.url) == old.entries.map(\.url))
    #expect(
      DriftReport(from: now.old, to: now.new).description == """
        GET api.example.com/v1/x
          a: string, was integer
        GET api.example.com/y
          status 404, was 200
        """)
  }

  @Test func `only reads of the client's origin are sent`() async throws {
    var old = recording(
      "https://api.example.com:443/x", "http://api.example.com/x", "https://other.example/x",
      "https://api.example.com:8443/x", "HTTPS://API.EXAMPLE.COM/y#z")
    for method in [HTTPRequest.Method.post, .put, .delete, .patch] {
      old.entries.append(.init(method, "https://api.example.com/x", response: .status(.ok)))
    }
    old.entries.append(.init(.head, "https://api.example.com/x", response: .status(.ok)))
    stub.stub(.get, "/**", with: .json("1"))
    stub.stub(.head, "/**", with: .status(.ok))
    let now = try await old.refetched(using: client())
    #expect(stub.requests.map { "\($0.head.method)" } == ["GET", "GET", "HEAD"])
    #expect(now.old.entries.count == 3 && now.new.entries.count == 3)
  }

  @Test func `each distinct request is sent once`() async throws {
    var old = recording(
      "https://api.example.com/x", "https://api.example.com/x#a",
      "https://api.example.com/x?api_key=***", "https://api.example.com/x?api_key=old",
      "https://api.example.com/x?page=2", "https://api.example.com/x")
    old.entries[5].headerFields[.accept] = "text/html"
    stub.stub(.get, "/**", with: .json("1"))
    let now = try await old.refetched(using: client())
    #expect(stub.requests.count == 3)
    #expect(now.old == old)
    #expect(now.new.entries.count == 3)
  }

  @Test func `credentials and conditions come from the client`() async throws {
    let version = try #require(HTTPField.Name("X-Api-Version"))
    let custom = try #require(HTTPField.Name("X-Session"))
    var old = recording(
      "https://api.example.com/x?a=1&api_key=old-key&b=%2A**&token=t&c=%20+#api_key=old-key")
    old.entries[0].headerFields = [
      .accept: "application/json", version: "3", custom: "***", .authorization: "Bearer old-token",
      .cookie: "a=old-cookie", .ifNoneMatch: "\"1\"", .ifModifiedSince: "then", .range: "bytes=0-1",
      .connection: "close", .te: "gzip", .acceptEncoding: "br", .userAgent: "browser",
    ]
    stub.stub(
      .get, "/x",
      with: .sample(
        Sample(
          headerFields: [.setCookie: "session=abc", .contentType: "application/json"],
          body: Data(#"{"you": "new-token", "key": "new-key"}"#.utf8))))
    let now = try await old.refetched(using: client())
    let sent = try #require(stub.requests.first?.head)
    #expect(sent.path == "/x?a=1&c=%20+&api_key=new-key")
    #expect(
      sent.headerFields == [
        .accept: "application/json", version: "3", .userAgent: "test",
        .authorization: "Bearer new-token",
      ])
    let entry = try #require(now.new.entries.first)
    #expect(entry.url == "https://api.example.com/x?a=1&c=%20+")
    #expect(entry.headerFields == [.accept: "application/json", version: "3"])
    #expect(entry.response.headerFields[.setCookie] == "***")
    #expect(entry.response.body == Data(#"{"you": "***", "key": "***"}"#.utf8))
  }

  @Test func `redirects and errors are responses`() async throws {
    let statuses: [HTTPResponse.Status] = [
      .movedPermanently, .badRequest, .notFound, .internalServerError,
    ]
    var old = recording()
    for status in statuses {
      old.entries.append(
        .init(.get, "https://api.example.com/\(status.code)", response: .status(status)))
      stub.stub(
        .get, "/\(status.code)", with: .status(status, [.location: "https://elsewhere.example/"]))
    }
    let now = try await old.refetched(using: client("https://api.example.com"))
    #expect(now.new.entries.map(\.response.status) == statuses)
    #expect(stub.requests.count == 4)
  }

  @Test func `failures are left out and told`() async throws {
    let old = recording(
      "https://api.example.com/a", "https://api.example.com/limited?token=secret",
      "https://api.example.com/lost", "https://me:passw0rd@api.example.com/x",
      "https://api.example.com/lost", "https://api.example.com/b")
    stub.stub(.get, "/*", with: .json("1"))
    stub.stub(.get, "/limited", with: .status(.tooManyRequests))
    stub.stub(.get, "/lost", with: .failure(Client.TransportFailure(.lost, reason: "gone")))
    let now = try await old.refetched(using: client("https://api.example.com"))
    #expect(
      now.old.entries.map(\.url) == ["https://api.example.com/a", "https://api.example.com/b"])
    #expect(now.new.entries.count == 2)
    let failed = now.failures.map { $0.request?.prefix { $0 != "?" } }
    #expect(
      failed == ["limited", "lost", "x", "lost"].map { "GET https://api.example.com/\($0)" })
    #expect(now.failures.map(\.isTransport) == [false, true, false, true])
    #expect(!"\(now.failures)".contains("secret") && !"\(now.failures)".contains("passw0rd"))
    #expect(stub.requests.count == 4)
  }

  @Test func `cancelling the task sends no more`() async {
    let gate = stub.hold(.get, "/**")
    let old = recording("https://api.example.com/a", "https://api.example.com/b")
    let client = client()
    let task = Task {
      await #expect(throws: Client.Error.self) { try await old.refetched(using: client) }
    }
    await gate.waitForRequests(1)
    task.cancel()
    #expect(await task.value?.isCancelled == true)
    #expect(stub.requests.count == 1)
  }
}

extension Client.Error {
  fileprivate var isTransport: Bool { if case .transport = self { true } else { false } }
}
