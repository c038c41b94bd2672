import Curlew
import Foundation
import HTTPTypes
import Testing

/// Mutated field values: whatever comes, a parser returns, and what it returns makes sense.
///
/// `CURLEW_FUZZ=1000000` makes the runs longer, `CURLEW_SEED` other ones.
@Suite(.timeLimit(.minutes(10)))
struct FieldFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private let runs = environment["CURLEW_FUZZ"].flatMap { Int($0) } ?? 20_000
  private let seed = environment["CURLEW_SEED"].flatMap { UInt64($0) } ?? 20_270_115
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func fuzz(_ samples: [String], _ check: (String) throws -> Void) rethrows {
    var generator = SplitMix(state: seed)
    for _ in 0..<runs {
      try check(Self.mutated(samples, &generator))
    }
  }

  /// Changes, inserts, removes, doubles and swaps bytes of one of the samples; never what a field's
  /// value can't hold.
  private static func mutated(_ samples: [String], _ generator: inout SplitMix) -> String {
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
}
