import Curlew
import CurlewTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StrictHTTPDateTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let samples = [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun Nov 16 08:49:37 1994",
  ]

  @Test func allThreeFormsAreRead() {
    for text in samples {
      let date = HTTPDate.strictDate(from: text, now: now)
      #expect(date != nil)
      #expect(date == HTTPDate.date(from: text, now: now))
      #expect(date == HTTPDate.strictDate(from: text.uppercased(), now: now))
      #expect(date == HTTPDate.strictDate(from: text.lowercased(), now: now))
    }
  }

  /// One inserted, removed or doubled byte leaves a date only where it is in a name's letters.
  @Test func aStrictDateIsADateWhateverComes() {
    var generator = SeededGenerator(seed: Fuzz.seed())
    let alphabet = Array(" ,-:0123456789GMTnv".utf8)
    for _ in 0..<Fuzz.runs(4_000) {
      var bytes = Array((samples.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let byte = alphabet.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        default: bytes.remove(at: index)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let date = HTTPDate.strictDate(from: text, now: now) else { continue }
      #expect(HTTPDate.date(from: HTTPDate.text(of: date)) == date, "\(text)")
      #expect(text.wholeMatch(of: Self.form) != nil, "\(text)")
    }
  }

  private static var form: Regex<Substring> {
    let time = #"\d\d:\d\d:\d\d"#
    let forms = [
      #"[a-z]{3}, \d\d [a-z]{3} \d{4} \#(time) GMT"#,
      #"[a-z]{6,9}, \d\d-[a-z]{3}-\d\d \#(time) GMT"#,
      #"[a-z]{3} [a-z]{3} [ \d]\d \#(time) \d{4}"#,
    ]
    return (try? Regex("(?i)" + forms.joined(separator: "|"))) ?? /never/
  }
}
