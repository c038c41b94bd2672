import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StringTests {
  /// Compares a string as a value, an element, a field and a key, and in values that are skipped.
  private func check(_ content: [UInt8]) {
    func document(_ before: String, _ after: String) -> Data {
      Data("\(before)\"".utf8) + content + Data("\"\(after)".utf8)
    }
    expectSame(asEachOf: [String.self, URL.self], document("", ""))
    expectSame(asEachOf: [[String].self, [Data].self], document("[\"aGk=\", ", "]"))
    expectSame([String?].self, document("[null,", "]"))
    expectSame(asEachOf: [Holder<String>.self, Maybe<String>.self], document("{\"v\":", "}"))
    expectSame([String: Int].self, document("{", ":1}"))
    expectSame(Maybe<Int>.self, document("{\"unread\":", ",\"v\":1}"))
    expectSame(Maybe<Int>.self, document("{\"v\":1, ", ":2}"))
    expectSame(Maybe<Int>.self, document("{\"v\":1,\"unread\":{", ":2}}"))
    expectSame(JSONValue.self, document("{", ":[]}"))
  }

  private func check(_ text: String) { check(Array(text.utf8)) }

  @Test func `plain text is the same at every length`() {
    for length in 0...70 { check(String("abcdefghij0123456789 ".repeated(4).prefix(length))) }
    for text in [
      "\u{E4}", "日本語", "👩‍👩‍👧", "e\u{301}", "\u{7F}\u{80}", "\u{FFFF}\u{10FFFF}", "\u{FEFF}",
    ] {
      for length in [0, 5, 7, 8, 15, 16, 17, 31] {
        check(String(repeating: "x", count: length) + text)
      }
    }
  }

  @Test func `escapes are the same`() {
    for text in [
      #"\""#, #"\\"#, #"\/"#, #"\b\f\n\r\t"#, #"\u0041"#, #"\u00e9"#, #"\u00E9"#, #"\u20ac"#,
      #"\ud83d\ude00"#, #"\uD83D\uDE00"#, #"a\u0000b"#, #"\uFFFF\uFDD0"#, #"\u0020"#, #"\\\\\""#,
      #"abcdefghijklmnop\nqrstuvwxyz"#, #"\\u0041"#, #"\u0022\u005c"#, #"e\u0301"#, #"\uFEFF"#,
    ] {
      check(text)
      check("\u{E4}" + text + "日本")
      check(String(repeating: "y", count: 15) + text)
    }
  }

  @Test func `bad escapes fail in the same way`() {
    for text in [
      #"\a"#, #"\x41"#, #"\U0041"#, #"\u"#, #"\u1"#, #"\u12"#, #"\u123"#, #"\u123g"#, #"\u 123"#,
      #"\u+123"#, #"\u-123"#, #"\u00_1"#, "\\\u{E4}", "\\\u{0}", "\\\n", #"\'"#, #"\u12\n4"#,
      #"\0"#, #"\u\u0041"#, #"\u00"\u0041"#, #"\"#, #"\\\"#, #"\uD83\"#, "\\u00\u{E4}",
    ] {
      check(text)
      check("text before " + text + " and after it")
    }
  }

  @Test func `lone surrogates fail in the same way`() {
    for text in [
      #"\ud800"#, #"\udc00"#, #"\ud83d\ud83d"#, #"\ude00\ud83d"#, #"\ud83dx"#, #"\ud83d\n"#,
      #"\ud83d\u0041"#, #"\ud83d\\ude00"#, #"\ud83d\ude0"#, #"\ud83d\u"#, #"\uDFFF"#,
      #"\uDBFF\uDFFF"#,
      #"\ud800\udc00"#, #"\ud800\u"#, #"\ud800\ud800\udc00"#, #"\ud83d\u00g0"#, #"\ud83d\"#,
    ] {
      check(text)
      check("0123456789" + text)
      check(text + "abcdefghijkl")
    }
  }

  @Test func `control characters fail in the same way`() {
    for byte in 0..<0x20 as Range<UInt8> {
      check([byte])
      check(Array("abcdefgh".utf8) + [byte] + Array("ijklm\\n".utf8))
      check(Array("\\n".utf8) + [byte])
    }
    check([0x7F])
  }

  @Test func `invalid UTF8 fails in the same way`() {
    let broken: [[UInt8]] = [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE],
      [0xFF], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], [0xE4, 0x61], [0xC3, 0xC3, 0xA4],
    ]
    for bytes in broken {
      check(bytes)
      check(Array("abcdefghijklmno".utf8) + bytes)
      check(bytes + Array("\\n and more".utf8))
      check(Array("\\n".utf8) + bytes)
      check(Array("\u{E4}".utf8) + bytes + Array("\u{E4}".utf8))
    }
    check([0xED, 0x9F, 0xBF])
    check([0xF4, 0x8F, 0xBF, 0xBF])
    // An escape inside a UTF-8 sequence makes it invalid.
    check([0xC3] + Array("\\n".utf8) + [0xA4])
    check([0xE2] + Array("\\u0041".utf8) + [0x82, 0xAC])
  }

  @Test func `strings must end`() {
    for text in [
      "\"", "\"abc", "\"abc\\", "\"abc\\\"", "[\"abc]", "{\"abc", "{\"a\":\"b}", "\"\\u00", "\"\\",
    ] {
      expectSame(asEachOf: [String.self, JSONValue.self, [String: String].self], text)
    }
  }

  @Test func `what is read is what is written`() {
    #expect(expectSame(String.self, #""\ud83d\ude00 \u0000""#).value == "\u{1F600} \u{0}")
    #expect(expectSame(String.self, #""\ud83d""#).failure == .notJSON)
    // Foundation's error has no coding path.
    let failure = expectSame([String: [String]].self, #"{"a": ["b", "\ud83d"]}"#).failure
    #expect(failure?.path == ["a", "Index 1#1"])
    #expect(failure?.text == Failure.notJSON.text)
    #expect(expectSame(Maybe<Int>.self, #"{"a":"\ud83d","v":1}"#).value == Maybe(v: 1))
  }
}
