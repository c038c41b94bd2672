import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

/// Secrets must not appear in any log line, label or span, in any text representation.
@Suite("Secrets are observed nowhere", .timeLimit(.minutes(1)))
struct SecretTests {
  private static let key = "hunter2/+x=="
  private static let encodedKey = "hunter2%2F%2Bx%3D%3D"
  private static let token = "tok/en-4711"
  private static let echo =
    "\(key) \(encodedKey) \(token) pin-0815 session=cookie-5150 tok\\/en-4711 hunter2\\/+x=="

  private let stub = StubTransport()
  private let log = LogStore(.trace)
  private let metrics = TestMetrics()
  private let tracer = TestTracer()
  private let client: Client
  private let endpoint = Request<Item>.get(
    "/x", query: ["page": 1, "api_key": key, "pin": Sensitive("pin-0815")],
    headerFields: [.cookie: "session=cookie-5150"])

  init() {
    let (log, metrics, tracer) = (log, metrics, tracer)
    client = .stubbed(by: stub) {
      $0.middleware = [.coalescing, .retryingAtOnce(attempts: 2), .bearer(Self.token)]
      $0.networkMiddleware = [.cookies()]
      $0.limits.bodySize = 1_000
      $0.observers = [
        .logging(log.logger, at: .trace), .metrics(factory: metrics), .tracing(tracer),
      ]
    }
  }

  /// All observed values, in every text representation.
  private var texts: [String] {
    var observed: [Any] = log.lines
    observed += metrics.recorders.map(\.dimensions) as [Any]
    observed += metrics.meters.map(\.dimensions) as [Any]
    observed += metrics.counters.map(\.dimensions) as [Any]
    for span in tracer.spans {
      observed += [span.operationName, span.attributes, span.events, span.status as Any]
      for error in span.errors { observed += [error.error, error.attributes] as [Any] }
    }
    return observed.map { value in
      var text = "\(value) \(String(reflecting: value))"
      dump(value, to: &text)
      if let error = value as? any Error { text += error.localizedDescription }
      return text
    }
  }

  private func expectNoSecret(_ location: SourceLocation = #_sourceLocation) {
    #expect(!log.lines.isEmpty && tracer.spans.count >= 2, sourceLocation: location)
    for secret in ["hunter2", "en-4711", "pin-0815", "cookie-5150", "jar-7788", "pass-9990"] {
      for text in texts where text.contains(secret) {
        Issue.record("\(secret) in \(text)", sourceLocation: location)
      }
    }
  }

  struct Quoting: Error, CustomStringConvertible {
    let description = "no \(SecretTests.echo)"
  }

  @Test(
    arguments: [
      .item, .json(#"{"name": 7, "text": "\#(echo)"}"#), .json("\(echo)"),
      .json(#"{"message": "Bad: \#(echo)"}"#, status: .badRequest),
      .json(#"{"message": "\#(echo)"}"#, status: .serviceUnavailable), .failure(Quoting()),
      .data(Data(echo.utf8), status: HTTPResponse.Status(code: 418, reasonPhrase: echo)),
      .status(.found, [.location: "http://a.b/?token=hunter2&x=1#access_token=hunter2"]),
      .status(.found, [.location: "https://ann:pass-9990@a.b/"]),
      .status(.found, [.location: "ftp://a.b/\(encodedKey)"]),
      .data(Data(repeating: 0x61, count: 1_001)),
      .responding { _ in throw Client.TransportFailure(.lost, reason: echo) },
    ] as [StubResponse])
  func `responses that quote them`(response: StubResponse) async throws {
    stub.stub(.get, "/**", with: response)
    _ = await client.result(of: endpoint)
    #expect(stub.requests.contains { $0.url.contains(Self.encodedKey) })
    expectNoSecret()
  }

  @Test func `cookies of the jar`() async throws {
    stub.stub(
      .get, "/x", with: .status(.ok, [.setCookie: "sid=jar-7788"]),
      .json(#"{"message": "jar-7788"}"#, status: .badRequest),
      .failure(Client.TransportFailure(.lost, reason: "jar-7788")),
      .json(#"{"name": ["jar-7788"]}"#))
    for _ in 1...3 { _ = await client.result(of: Request<Item>.get("/x")) }
    #expect(stub.requests.last?.head.headerFields[.cookie] == "sid=jar-7788")
    expectNoSecret()
  }

  @Test func `streams and downloads`() async throws {
    stub.stub(.get, "/**", with: .pieces("a", Self.echo))
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let request = Request<Data>.get("/x", query: ["api_key": Self.key])
    for try await _ in try await client.stream(request) {}
    _ = try await client.download(request, to: file)
    expectNoSecret()
  }

  @Test func `redirect that is followed`() async throws {
    stub.stub(
      .get, "/x",
      with: .status(.found, [.location: "https://ann:pass-9990@api.example.com/y?token=hunter2"]),
      .status(.found, [.location: "/y?token=hunter2&sig=hunter2#access_token=hunter2"]))
    stub.stub(.get, "/y", with: .item)
    for _ in 1...2 { _ = await client.result(of: endpoint) }
    #expect(stub.requests.contains { $0.head.path?.hasPrefix("/y") == true })
    expectNoSecret()
  }

  @Test func `body that cannot be encoded`() async throws {
    struct Login: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue("hunter2", .init(codingPath: [], debugDescription: "no"))
      }
    }
    let bad = Request<Void>.post("/x", query: ["api_key": Self.key], body: .json(Login()))
    #expect(await client.result(of: bad).failure != nil)
    #expect(!log.lines.isEmpty && tracer.spans.count == 1)
    for text in texts { #expect(!text.contains("hunter2")) }
  }
}
