import Curlew
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Mutated field values: whatever comes, a parser returns, and what it returns makes sense.
///
/// `CURLEW_FUZZ=1000000` makes the runs longer, `CURLEW_SEED` other ones.
@Suite(.timeLimit(.minutes(10)))
struct FieldFuzzTests {
  private let runs = Fuzz.runs(20_000)
  private let seed = Fuzz.seed()
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func fuzz(_ samples: [String], _ check: (String) throws -> Void) rethrows {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<runs {
      try check(Self.mutated(samples, &generator))
    }
  }

  private func fuzz(
    _ samples: [String], _ check: (String) async throws -> Void
  ) async rethrows {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<runs {
      try await check(Self.mutated(samples, &generator))
    }
  }

  /// Changes, inserts, removes, doubles and swaps bytes of one of the samples; never what a field's
  /// value can't hold.
  private static func mutated(_ samples: [String], _ generator: inout SeededGenerator) -> String {
    var bytes = Array((samples.randomElement(using: &generator) ?? "").utf8)
    let alphabet = Array(#"0123456789:;,="- GMTSunNovrtq%+.eE/\#t\u{80}\u{C3}\u{A4}\u{FF}"#.utf8)
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let place = Int.random(in: 0...bytes.count, using: &generator)
      let byte = alphabet.randomElement(using: &generator) ?? 0
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: bytes.insert(byte, at: place)
      case 1 where place < bytes.count: bytes[place] = byte
      case 2 where place < bytes.count: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: bytes[place...], at: place)
      case 4:
        let count = Int.random(in: 1...30, using: &generator)
        bytes.insert(contentsOf: repeatElement(byte, count: count), at: place)
      default: bytes.removeSubrange(place...)
      }
      bytes = Array(bytes.prefix(2_000))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func datesAreReadOrNot() {
    let samples = [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
      "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 29 Feb 0000 00:00:60 GMT",
    ]
    fuzz(samples) { text in
      guard let date = HTTPDate.date(from: text, now: now) else { return }
      // What was understood is a moment that can be written and read.
      let written = HTTPDate.text(of: date)
      let again = HTTPDate.date(from: written, now: now)
      if again != date, written != "Fri, 31 Dec 9999 23:59:59 GMT" {
        Testing.Issue.record("\(text) was read as \(date), written as \(written)")
      }
    }
  }

  @Test func retryAfterIsATimeOrNothing() {
    let samples = ["120", "0", "Sun, 06 Nov 2094 08:49:37 GMT", "99999999999999999999", "-1", ""]
    fuzz(samples) { text in
      var fields = HTTPFields()
      fields[.retryAfter] = text
      guard let wait = fields.retryAfter(now: now) else { return }
      if wait < .zero || wait > .seconds(300_000_000_000) {
        Testing.Issue.record("\(text) is \(wait)")
      }
    }
  }

  @Test func rateLimitsAreNumbersOrNothing() throws {
    let names = try [
      "RateLimit", "RateLimit-Remaining", "X-RateLimit-Remaining", "X-RateLimit-Reset",
    ].map { try #require(HTTPField.Name($0)) }
    let samples = [
      #""default";r=50;t=30"#, #""hour";r=900;t=3000, "burst";r=2;t=5"#,
      "limit=100, remaining=50, reset=30", "57", "1800000900", "999999999999", "",
    ]
    fuzz(samples) { text in
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

  @Test func linksLeadSomewhereOrAreNone() {
    let samples = [
      #"<https://api.github.com/repositories/1/issues?page=2>; rel="next", </x?page=5>; rel="last""#,
      ##"</a>; rel="prev first"; title="a, \"b\"; c"; anchor="#x""##, "<x>;rel=next,,;<y", "",
    ]
    fuzz(samples) { text in
      var fields = HTTPFields()
      fields[values: HTTPField.Name("Link") ?? .location] = [text]
      for link in fields.links {
        if link.relations.isEmpty || link.relations.contains(where: \.isEmpty) {
          Testing.Issue.record("\(text) has a link without a relation: \(link)")
        }
        _ = link["page"]
      }
    }
  }

  @Test func cookiesHaveANameAndNoControls() {
    let samples = [
      "id=1; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax", "a=b=c; Domain=.example.com",
      "x=; Expires=Sun, 06 Nov 2094 08:49:37 GMT", "=", "a; b", "",
    ]
    fuzz(samples) { text in
      guard let cookie = SetCookie(text, now: now) else { return }
      let isWhole =
        !cookie.name.isEmpty
        && !(cookie.name + cookie.value).unicodeScalars.contains { $0.value < 32 }
        && !cookie.name.contains(";") && !cookie.value.contains(";")
      if !isWhole { Testing.Issue.record("\(text) is \(cookie)") }
    }
  }

  @Test func mediaTypesAreTokensOrNothing() {
    let samples = [
      "application/json", "text/html; charset=utf-8", #"a/b; c="d\"; e=f"; g=h"#, "a/b;;=;x", "",
    ]
    fuzz(samples) { text in
      guard let media = MediaType(text) else { return }
      // What was understood can be written and read.
      if MediaType("\(media.type)/\(media.subtype)")?.subtype != media.subtype {
        Testing.Issue.record("\(text) is \(media)")
      }
    }
  }

  @Test func contentRangesAreTrueOrNothing() {
    let samples = ["bytes 0-99/1000", "bytes */5", "bytes 0-99/*", "items 1-2/3", ""]
    fuzz(samples) { text in
      guard let range = ContentRange(text) else { return }
      let isTrue =
        range.bytes.map { bytes in range.total.map { bytes.upperBound < $0 } ?? true }
        ?? (range.total != nil)
      if !isTrue { Testing.Issue.record("\(text) is \(range)") }
    }
  }

  @Test func recordingsAreReadOrRefused() throws {
    let sample = """
      {"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": \
      "https://api.example.com/x?a=b%20c", "headers": [{"name": "A", "value": "b"}], "postData": \
      {"text": "x", "params": [{"name": "n", "value": "v"}]}}, "response": {"status": 200, \
      "headers": [{"name": "Content-Type", "value": "application/json"}], "content": {"text": \
      "eyJhIjogMX0=", "encoding": "base64"}}}]}}
      """
    fuzz([sample]) { text in
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

  @Test func redirectsLeadToHTTPOrNowhere() async {
    let samples = [
      "https://example.com/a?b=c#d", "/a/../b", "//host:80/x", "?q=1", "#f", "http://[::1]:8080/",
      "https://user:pass@example.com/", "javascript:alert(1)", "a b/ä", "http://example.com:99999/",
      "",
    ]
    let bouncing = Bouncing()
    let client = Client(baseURL: "https://api.example.com") {
      $0.transport = bouncing
      $0.limits.redirects = 2
    }
    await fuzz(samples) { text in
      bouncing.location.withLock { $0 = text }
      switch await client.result(of: Request<Void>.get("/start")) {
      case .success, .failure(.redirect), .failure(.status): break
      case .failure(let error): Testing.Issue.record("\(text): \(error)")
      }
      let request = bouncing.last.withLock { $0 }
      let isSound =
        ["http", "https"].contains(request?.head.scheme)
        && request?.head.path?.hasPrefix("/") == true
        && request?.head.authority?.contains("@") == false
        && request?.url.utf8.allSatisfy { (0x21...0x7E).contains($0) } == true
      if !isSound { Testing.Issue.record("\(text) leads to \(request?.url ?? "")") }
    }
  }
}

/// Sends what begins anywhere on to its location, and takes what comes there.
private final class Bouncing: Transport {
  let location = Mutex("")
  let last = Mutex(OutgoingRequest?.none)

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    last.withLock { $0 = request }
    guard request.head.path == "/start" else {
      return IncomingResponse(head: HTTPResponse(status: .noContent), body: ResponseBody())
    }
    let location = location.withLock { $0 }
    return IncomingResponse(
      head: HTTPResponse(status: .found, headerFields: [.location: location]), body: ResponseBody())
  }
}
