import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Mutated field values: for every value, a parser returns, and its result is consistent.
///
/// `CURLEW_FUZZ=1000000` makes the runs longer, `CURLEW_SEED` changes the seed.
@Suite(.timeLimit(.minutes(10)))
struct FieldFuzzTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private let strictForm: Regex<Substring>

  init() throws {
    let time = #"\d\d:\d\d:\d\d"#
    let forms = [
      #"[a-z]{3}, \d\d [a-z]{3} \d{4} \#(time) GMT"#,
      #"[a-z]{6,9}, \d\d-[a-z]{3}-\d\d \#(time) GMT"#,
      #"[a-z]{3} [a-z]{3} [ \d]\d \#(time) \d{4}"#,
    ]
    strictForm = try Regex("(?i)" + forms.joined(separator: "|"))
  }

  /// Calls a function with mutated field values, without characters that a field's value can't contain.
  private func fuzz(
    _ samples: [String], runs: Int = 20_000, _ check: (String) async throws -> Void
  ) async rethrows {
    var generator = SeededGenerator(seed: Fuzz.seed())
    for _ in 0..<Fuzz.runs(runs) {
      let bytes = generator.mutated(
        samples, with: #"0123456789:;,<>="- GMTSunNovrtq%+.eE/\#t\u{80}ä\u{FF}"#)
      try await check(String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test func `dates are read or not`() async {
    let samples = [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 29 Feb 0000 00:00:60 GMT",
      "Sun Nov 16 08:49:37 1994",
    ]
    await fuzz(samples) { text in
      expectStrict(text)
      guard let date = HTTPDate.date(from: text, now: now) else { return }
      // A parsed date can be written and parsed again.
      let written = HTTPDate.text(of: date)
      let again = HTTPDate.date(from: written, now: now)
      if again != date, written != "Fri, 31 Dec 9999 23:59:59 GMT" {
        Testing.Issue.record("\(text) was read as \(date), written as \(written)")
      }
    }
  }

  /// Expects that a date with one inserted, removed or doubled byte is a strict date only if the byte is in a name's
  /// letters.
  private func expectStrict(_ text: String) {
    guard let date = HTTPDate.strictDate(from: text, now: now) else { return }
    let again = HTTPDate.date(from: HTTPDate.text(of: date))
    if again != date || text.wholeMatch(of: strictForm) == nil {
      Testing.Issue.record("\(text) is a strict date")
    }
  }

  @Test func `retry after is a time or nothing`() async {
    let samples = ["120", "0", "Sun, 06 Nov 2094 08:49:37 GMT", "99999999999999999999", "-1", ""]
    await fuzz(samples) { text in
      var fields = HTTPFields()
      fields[.retryAfter] = text
      guard let wait = fields.retryAfter(now: now) else { return }
      if wait < .zero || wait > .seconds(300_000_000_000) {
        Testing.Issue.record("\(text) is \(wait)")
      }
    }
  }

  @Test func `rate limits are numbers or nothing`() async throws {
    let names: [HTTPField.Name] = [
      "RateLimit", "RateLimit-Remaining", "X-RateLimit-Remaining", "X-RateLimit-Reset",
    ]
    let samples = [
      #""default";r=50;t=30"#, #""hour";r=900;t=3000, "burst";r=2;t=5"#,
      "limit=100, remaining=50, reset=30", "57", "1800000900", "999999999999", "",
    ]
    await fuzz(samples) { text in
      for name in names {
        var fields = HTTPFields()
        fields[names[2]] = "1"
        fields[name] = text
        guard let limit = fields.rateLimit(now: now) else { continue }
        if limit.remaining < 0 || (limit.limit ?? 0) < 0 || (limit.reset ?? .zero) < .zero {
          Testing.Issue.record("\(name): \(text) is \(limit)")
        }
      }
    }
  }

  @Test func `links lead somewhere or are none`() async {
    let samples = [
      #"<https://api.github.com/repositories/1/issues?page=2>; rel="next", </x?page=5>; rel="last""#,
      ##"</a>; rel="prev first"; title="a, \"b\"; c"; anchor="#x""##, "<x>;rel=next,,;<y", "",
    ]
    await fuzz(samples) { text in
      var fields = HTTPFields()
      fields[values: "Link"] = [text]
      for link in fields.links {
        if link.relations.isEmpty || link.relations.contains(where: \.isEmpty) {
          Testing.Issue.record("\(text) has a link without a relation: \(link)")
        }
        _ = link["page"]
      }
    }
  }

  @Test func `cookies have a name or a value and no controls`() async {
    let samples = [
      "id=1; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax", "a=b=c; Domain=.example.com",
      "x=; Expires=Sun, 06 Nov 2094 08:49:37 GMT", "=", "a; b", "",
    ]
    await fuzz(samples) { text in
      guard let cookie = SetCookie(text, now: now) else { return }
      let isWhole =
        !(cookie.name + cookie.value).isEmpty
        && !(cookie.name + cookie.value).unicodeScalars.contains { $0.value < 32 }
        && !cookie.name.contains(";") && !cookie.value.contains(";")
      if !isWhole { Testing.Issue.record("\(text) is \(cookie)") }
    }
  }

  @Test func `media types are tokens or nothing`() async {
    let samples = [
      "application/json", "text/html; charset=utf-8", #"a/b; c="d\"; e=f"; g=h"#, "a/b;;=;x", "",
    ]
    await fuzz(samples) { text in
      guard let media = MediaType(text) else { return }
      // A parsed media type can be written and parsed again.
      if MediaType("\(media.type)/\(media.subtype)")?.subtype != media.subtype {
        Testing.Issue.record("\(text) is \(media)")
      }
    }
  }

  @Test func `content ranges are true or nothing`() async {
    let samples = ["bytes 0-99/1000", "bytes */5", "bytes 0-99/*", "items 1-2/3", ""]
    await fuzz(samples) { text in
      guard let range = ContentRange(text) else { return }
      let isTrue =
        range.bytes.map { bytes in range.total.map { bytes.upperBound < $0 } ?? true }
        ?? (range.total != nil)
      if !isTrue { Testing.Issue.record("\(text) is \(range)") }
    }
  }

  @Test func `recordings are read or refused`() async throws {
    let sample = """
      {"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": \
      "https://api.example.com/x?a=b%20c", "headers": [{"name": "A", "value": "b"}], "postData": \
      {"text": "x", "params": [{"name": "n", "value": "v"}]}}, "response": {"status": 200, \
      "headers": [{"name": "Content-Type", "value": "application/json"}], "content": {"text": \
      "eyJhIjogMX0=", "encoding": "base64"}}}]}}
      """
    await fuzz([sample], runs: 5_000) { text in
      do throws(HAR.ParsingError) {
        let recording = try HAR(data: Data(text.utf8))
        if recording.entries.count > 100 { Testing.Issue.record("\(text)") }
      } catch {
        if !error.description.hasPrefix("The recording can't be read: ") {
          Testing.Issue.record("\(text): \(error)")
        }
      }
    }
  }

  @Test func `redirects lead to HTTP or nowhere`() async {
    let samples = [
      "https://example.com/a?b=c#d", "/a/../b", "//host:80/x", "?q=1", "#f", "http://[::1]:8080/",
      "https://user:pass@example.com/", "javascript:alert(1)", "a b/ä", "http://example.com:99999/",
      "",
    ]
    await fuzz(samples, runs: 5_000) { text in
      let stub = StubTransport()
      stub.stub(.get, "/**", with: .status(.noContent))
      stub.stub(.get, "/start", with: .status(.found, [.location: text]))
      let client = Client.stubbed(by: stub) { $0.limits.redirects = 2 }
      switch await client.result(of: Request<Void>.get("/start")) {
      case .success, .failure(.redirect), .failure(.status): break
      case .failure(let error): Testing.Issue.record("\(text): \(error)")
      }
      let request = stub.requests.last
      let isSound =
        ["http", "https"].contains(request?.head.scheme)
        && request?.head.path?.hasPrefix("/") == true
        && request?.head.authority?.contains("@") == false
        && request?.url.utf8.allSatisfy { (0x21...0x7E).contains($0) } == true
      if !isSound { Testing.Issue.record("\(text) leads to \(request?.url ?? "")") }
    }
  }
}
