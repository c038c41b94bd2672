import Curlew
import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

/// A transport that replaces bytes that are not UTF-8 loses them: such values are not sent back (RFC 9110 section 5.5).
@Suite(.timeLimit(.minutes(1)))
struct LostBytesTests {
  @Test func `Values with lost bytes are not sent back`() async throws {
    let (stub, log) = (StubTransport(), EventLog())
    let fields: HTTPFields = [
      .eTag: "\"\u{FFFD}\"", .setCookie: "n=\u{FFFD}", .cacheControl: "max-age=0",
      .lastModified: "Fri, 15 Jan 2027 08:00:00 GMT",
    ]
    stub.stub(.get, "/x", with: .text("abcd", fields))
    let client = Client.stubbed(by: stub) {
      $0.networkMiddleware = [.cookies()]
      $0.cache = .memory()
      $0.observers = [log]
    }
    for _ in 1...2 { #expect(try await client.send(Request<String>.get("/x")) == "abcd") }
    let sent = try #require(stub.requests.last).head.headerFields
    #expect(sent[.ifNoneMatch] == nil && sent[.cookie] == nil)
    #expect(sent[.ifModifiedSince] != nil)
    let heads = log.events.map { "\($0)" }.filter { $0.contains("status 200") }
    #expect(heads.count == 2)
    #expect(
      heads.allSatisfy { $0.hasSuffix("; not UTF-8 and not sent back: ETag, Set-Cookie") },
      "\(heads)")
  }
}
