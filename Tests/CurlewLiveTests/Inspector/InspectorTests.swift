import AsyncHTTPClient
import CurlewLive
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// The inspector's requests to its server.
@Suite(.timeLimit(.minutes(1)))
struct InspectorTests {
  struct Report: Decodable {
    struct Entry: Decodable {
      let n: Int
      let t: Double
      let kind: String
      let text: String?
      let work: String?
      let run: Int?
      let outcome: String?
      let bytes: Int?
    }

    struct Control: Decodable {
      let name: String
      let value: Double?
    }

    let now: Double
    let isCut: Bool
    let entries: [Entry]
    struct Scenario: Decodable, Equatable {
      let label: String
      let values: [String: Double]
    }

    let controls: [Control]
    let scenarios: [Scenario]?
    let code: [String: String]?
  }

  struct Difference: Decodable {
    struct Change: Decodable, Equatable {
      let path: String
      let old: String?
      let new: String?
    }

    let changes: [Change]
    let more: Int
  }

  /// A number that can be set.
  final class Knob: Sendable {
    private let number = Mutex(0.0)
    var value: Double { number.withLock { $0 } }
    var inspector: LiveInspector {
      LiveInspector(controls: [
        .init(
          "knob", label: "Knob", note: "Turns.", range: 0...10, step: 1, get: { self.value }
        ) { value throws(LiveInspector.Control.Failure) in
          guard value != 7 else { throw .init("Seven sticks.") }
          self.number.withLock { $0 = value }
        }
      ])
    }
  }

  private func ask(
    _ path: String, in session: String, _ client: any TestClientProtocol,
    _ method: HTTPRequest.Method = .get, _ body: String = "", _ fields: HTTPFields = [:]
  ) async throws -> TestResponse {
    var headers: HTTPFields = [.liveSession: session, .liveTab: tab, .origin: "http://localhost"]
    for field in fields { headers[field.name] = field.value }
    return try await client.execute(
      uri: "/notes/inspector" + path, method: method, headers: headers,
      body: ByteBuffer(string: body))
  }

  private func report(
    _ session: String, _ client: any TestClientProtocol, after: Int = 0
  ) async throws -> Report {
    let response = try await ask("?after=\(after)", in: session, client)
    return try JSONDecoder().decode(Report.self, from: Data(response.text.utf8))
  }

  /// Runs a body with a page that has looked something up.
  private func withSession(
    _ inspector: LiveInspector? = LiveInspector(), isLocal: Bool = true,
    _ body: @escaping @Sendable (any TestClientProtocol, String) async throws -> Void
  ) async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let peer = LiveChannel.Peer(
      end: loop.makeSucceededVoidFuture(), address: IPAddress(isLocal ? "127.0.0.1" : "192.0.2.1"))
    try await LiveChannel.$peer.withValue(peer) {
      try await site(NotesPage(), inspector: inspector).test(.router) { client in
        let page = try await client.execute(uri: "/notes?q=curlew", method: .get)
        try await body(client, #require(page.session))
      }
    }
  }

  @Test func `it tells of events work and states`() async throws {
    try await withSession { client, session in
      let report = try await report(session, client)
      #expect(
        report.entries.map(\.kind)
          == ["opened", "state", "start", "state", "end", "state"])
      #expect(report.entries[0].text == "/notes?q=curlew")
      #expect(report.entries[2].work == "look")
      #expect(report.entries[4].outcome == "finished")
      #expect(report.entries[2].run != nil && report.entries[2].run == report.entries[4].run)
      #expect(report.entries.map(\.n) == Array(1...6))
      #expect(!report.isCut && report.now >= report.entries[5].t)
      #expect(try await self.report(session, client, after: 4).entries.map(\.n) == [5, 6])
      #expect(try await self.report(session, client, after: 6).entries.isEmpty)
    }
  }

  @Test func `it tells what a state changed`() async throws {
    try await withSession { client, session in
      func difference(_ number: String) async throws -> TestResponse {
        try await ask("/state?n=\(number)", in: session, client)
      }
      let response = try await difference("6")
      let changes = try JSONDecoder().decode(Difference.self, from: Data(response.text.utf8))
      #expect(
        changes.changes == [
          .init(path: "found", old: #""""#, new: #""about curlew""#),
          .init(path: "isLooking", old: "true", new: "false"),
        ])
      #expect(changes.more == 0)
      for number in ["3", "99", "-1", "x", ""] {
        #expect(try await difference(number).status == .notFound)
      }
    }
  }

  @Test func `what is sent to the browser is told`() async throws {
    try await withServer(NotesPage(), inspector: LiveInspector()) { visitor in
      let session = try await visitor.draw()
      let stream = try await visitor.listen(session: session)
      // When the second update arrives, the inspector has recorded the first.
      for text in ["a", "ab"] {
        try await visitor.act("write", text, in: session, number: text.count)
        _ = try await stream.state { $0.html.contains("value=\"\(text)\"") }
      }
      var request = HTTPClientRequest(url: visitor.origin + "/notes/inspector?after=0")
      request.headers.add(name: "Live-Session", value: session)
      request.headers.add(name: "Live-Tab", value: tab)
      let body = try await visitor.client.execute(request, timeout: .minutes(3)).body
      let report = try JSONDecoder().decode(
        Report.self, from: Data(String(buffer: try await body.collect(upTo: 1 << 20)).utf8))
      #expect(report.entries.contains { $0.kind == "sent" && $0.bytes ?? 0 > 50 })
    }
  }

  @Test func `it is off by default`() async throws {
    try await withSession(nil) { client, session in
      #expect(try await ask("", in: session, client).status == .notFound)
      let page = try await client.execute(uri: "/notes", method: .get)
      #expect(!page.text.contains("inspector"))
    }
  }

  /// Requests through a proxy, from another site or another machine are rejected; following a link is allowed.
  @Test(arguments: [
    (["Via": "1.1 proxy.example"], false), (["Forwarded": "for=192.0.2.1"], false),
    (["X-Forwarded-For": "192.0.2.1"], false), (["X-Forwarded-Host": "localhost"], false),
    (["X-Forwarded-Proto": "http"], false), (["X-Forwarded-Server": "localhost"], false),
    (["X-Real-IP": "127.0.0.1"], false), (["X-Client-IP": "127.0.0.1"], false),
    (["True-Client-IP": "127.0.0.1"], false), (["CF-Connecting-IP": "127.0.0.1"], false),
    (from("cross-site"), false), (from("same-site"), false),
    (from("cross-site", "cors", "empty"), false), (from("same-site", "no-cors", "script"), false),
    (from("cross-site", "navigate", "iframe"), false), (from("same-origin"), true),
    (from("none"), true), (from("same-origin", "cors", "empty"), true),
    (from("cross-site", "navigate", "document"), true),
    (from("same-site", "navigate", "document"), true), ([:], true),
  ])
  func `others get nothing`(fields: [String: String], isServed: Bool) async throws {
    let headers = HTTPFields(fields.map { HTTPField(name: .init($0.key)!, value: $0.value) })
    for isLocal in [true, false] {
      try await withSession(isLocal: isLocal) { client, session in
        for path in ["", "/state?n=2", "/trace"] {
          let response = try await ask(path, in: session, client, .get, "", headers)
          #expect(response.status == (isServed && isLocal ? .ok : .notFound))
        }
        let page = try await client.execute(uri: "/notes", method: .get, headers: headers)
        #expect(page.status == .ok)
        #expect(page.text.contains("inspector") == (isServed && isLocal))
      }
    }
  }

  private static func from(
    _ site: String, _ mode: String? = nil, _ target: String? = nil
  ) -> [String: String] {
    ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": target].compactMapValues {
      $0
    }
  }

  @Test func `other hosts get nothing`() async throws {
    try await withServer(NotesPage(), inspector: LiveInspector()) { visitor in
      for (host, isThere) in [
        ("birds.example", false), ("127.0.0.1.birds.example", false), ("localhost:1", true),
        ("[::1]:80", true), ("LOCALHOST", true),
      ] {
        var request = HTTPClientRequest(url: visitor.origin + "/notes")
        request.headers.replaceOrAdd(name: "Host", value: host)
        let body = try await visitor.client.execute(request, timeout: .minutes(3)).body
        let page = String(buffer: try await body.collect(upTo: 1 << 20))
        #expect(page.contains("data-live-inspector") == isThere, "\(host)")
      }
    }
  }

  @Test func `another tabs session is not told`() async throws {
    try await withSession { client, session in
      _ = try await report(session, client)
      let other: HTTPFields = [.liveTab: String(repeating: "8b", count: 8)]
      #expect(try await ask("", in: session, client, .get, "", other).status == .notFound)
      #expect(try await ask("", in: "0", client).status == .notFound)
    }
  }

  @Test func `scenarios and lines of code are in the first report`() async throws {
    let inspector = LiveInspector(
      scenarios: [.init("Loud", ["knob": 9])], code: ["retry": ".retrying()"])
    try await withSession(inspector) { client, session in
      let first = try await report(session, client)
      #expect(first.scenarios == [.init(label: "Loud", values: ["knob": 9])])
      #expect(first.code == ["retry": ".retrying()"])
      let last = first.entries.last?.n ?? 1
      let next = try await report(session, client, after: last)
      #expect(next.scenarios == nil && next.code == nil)
    }
  }

  @Test func `a control is set within its range`() async throws {
    let knob = Knob()
    try await withSession(knob.inspector) { client, session in
      func set(_ body: String, _ fields: HTTPFields = [:]) async throws -> TestResponse {
        try await ask("/controls", in: session, client, .post, body, fields)
      }
      #expect(try await set(#"{"name":"knob","value":3}"#).status == .noContent)
      #expect(knob.value == 3)
      #expect(try await report(session, client).controls.first?.value == 3)
      for body in [
        #"{"name":"knob","value":11}"#, #"{"name":"knob","value":-1}"#,
      ] {
        let response = try await set(body)
        #expect(response.status == .unprocessableContent)
        #expect(response.text == "Knob must be between 0 and 10.\n")
      }
      let sticky = try await set(#"{"name":"knob","value":7}"#)
      #expect(sticky.status == .unprocessableContent && sticky.text == "Seven sticks.\n")
      for body in [#"{"name":"bell","value":1}"#, "", "[]", #"{"name":"knob","value":"1"}"#] {
        #expect(try await set(body).status == .badRequest)
      }
      let evil = try await set(
        #"{"name":"knob","value":5}"#, [.origin: "http://evil.example"])
      #expect(evil.status == .notFound)
      #expect(knob.value == 3)
    }
  }
}
