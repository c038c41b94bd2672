import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Texts with different bytes that Swift's `String` takes for equal; servers compare bytes (RFC 3986 section 6.2.1, RFC
/// 9110 section 5.5).
enum EqualTexts {
  /// Canonically equivalent texts (Unicode Standard Annex #15, figures 3 to 6).
  static let pairs: [(String, String)] = [
    ("jos\u{e9}", "jose\u{301}"), ("K", "\u{212a}"), ("\u{c5}", "\u{212b}"),
    ("\u{3a9}", "\u{2126}"),
    ("\u{1e69}", "s\u{307}\u{323}"), ("\u{ac00}", "\u{1100}\u{1161}"), (";", "\u{37e}"),
    ("a\u{323}\u{307}", "a\u{307}\u{323}"),
  ]
}

/// Keys compare bytes: an account never gets a response to another account whose name looks the same.
@Suite(.timeLimit(.minutes(1)))
struct CacheBytesTests {
  private let name = HTTPField.Name("X-Name")

  private func get(_ name: String) -> Request<String> {
    .get("/a", headerFields: [self.name: name])
  }

  /// A client whose account is the field `X-Name`.
  private func accounts() -> CachingClient {
    let test = CachingClient(account: { [name] in $0.head.headerFields[name] })
    test.stub.stub(
      .get, "/a", with: test.response("one"), test.response("two"), test.response("three"))
    return test
  }

  @Test(arguments: EqualTexts.pairs)
  func `accounts with other bytes share no response`(one: String, other: String) async throws {
    #expect(one == other)
    #expect(CacheKey(account: one, url: "") != CacheKey(account: other, url: ""))
    #expect(CacheKey(account: nil, url: one) != CacheKey(account: nil, url: other))
    #expect(!CacheKey.isURL("https://a.example/\(one)/x", atOrBelow: "https://a.example/\(other)"))
    #expect(CacheKey.isURL("https://a.example/\(one)/x", atOrBelow: "https://a.example/\(one)"))
    let test = accounts()
    #expect(try await test.client.send(get(one)) == "one")
    #expect(try await test.client.send(get(other)) == "two")
    #expect(try await test.client.send(get(one)) == "one")
    await test.cache.removeAll(of: other)
    #expect(await test.cache.contents().count == 1)
    #expect(try await test.client.send(get(one)) == "one")
    #expect(try await test.client.send(get(other)) == "three")
  }

  @Test(arguments: EqualTexts.pairs)
  func `purge ends the responses of its bytes in flight`(one: String, other: String) async throws {
    for (purged, count) in [(other, 1), (one, 0)] {
      let (test, gate) = (accounts(), StubGate())
      test.stub.stub(.get, "/a", with: .held(by: gate))
      let task = Task { try await test.client.send(get(one)) }
      await gate.waitForRequests(1)
      await test.cache.removeAll(of: purged)
      gate.respond(with: test.response("held"))
      _ = try await task.value
      #expect(await test.cache.contents().count == count)
    }
  }

  @Test(arguments: EqualTexts.pairs)
  func `variants compare bytes`(one: String, other: String) async throws {
    let test = CachingClient()
    let fields: HTTPFields = [.vary: "X-Name"]
    test.stub.stub(
      .get, "/a", with: test.response("one", fields), test.response("two", fields))
    #expect(try await test.client.send(get(one)) == "one")
    #expect(try await test.client.send(get(other)) == "two")
    #expect(try await test.client.send(get(one)) == "one")
  }

  /// Bytes that are not UTF-8 are all U+FFFD as text.
  @Test func `fields in Latin 1 are told apart`() async throws {
    let test = CachingClient()
    test.stub.stub(
      .get, "/a", with: test.response("one", [.vary: "X-Name"]),
      test.response("two", [.vary: "X-Name"]))
    for (byte, body) in [(0xE8, "one"), (0xE9, "two"), (0xE8, "one")] as [(UInt8, String)] {
      var fields = HTTPFields()
      fields.append(HTTPField(name: name, value: [0x63, byte]))
      #expect(try await test.client.send(Request<String>.get("/a", headerFields: fields)) == body)
    }
  }

  @Test(arguments: EqualTexts.pairs)
  func `transfers are shared by bytes`(one: String, other: String) async throws {
    let (stub, gate, waits) = (StubTransport(), StubGate(), Waits())
    stub.stub(.get, "/a", with: .held(by: gate))
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.coalescing]
      $0.observers = [waits]
    }
    let tasks = [one, other, one].map { name in Task { try await client.send(get(name)) } }
    await gate.waitForRequests(2)
    await eventually { waits.count == 1 }
    gate.respondToAll(with: .text("x"))
    for task in tasks { #expect(try await task.value == "x") }
    #expect(stub.requests.count == 2)
  }

  @Test(arguments: EqualTexts.pairs)
  func `validations are shared by bytes`(one: String, other: String) async throws {
    let (test, gate) = (CachingClient(), StubGate())
    test.stub.stub(
      .get, "/a", with: test.response("old", "max-age=0", [.eTag: "\"1\""]), .held(by: gate))
    _ = try await test.client.send(get(one))
    let tasks = [one, other, one].map { name in Task { try await test.client.send(get(name)) } }
    await gate.waitForRequests(2)
    await eventually { test.log.first("coalesced") != nil }
    gate.respondToAll(with: test.response("", "max-age=0", [.eTag: "\"1\""], status: .notModified))
    for task in tasks { #expect(try await task.value == "old") }
    #expect(test.stub.requests.count == 3)
  }
}

extension CachingClient {
  fileprivate func response(_ body: String, _ fields: HTTPFields) -> StubResponse {
    response(body, "max-age=60", fields)
  }
}
