import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StructureTests {
  private func check(_ json: some JSONDocument) {
    expectSame(
      asEachOf: [
        JSONValue.self, [Int].self, Maybe<Int>.self, [String: JSONValue].self, String.self,
        Double.self, Bool?.self,
      ], json)
  }

  @Test func `empty documents are the same`() {
    for text in ["", " ", "\n", "\t\r\n  ", "\u{0}", "\u{FEFF}", "\u{FEFF} ", "\u{B}", "\u{A0}"] {
      check(text)
    }
    #expect(expectSame(Int.self, "").failure == .notJSON)
  }

  @Test func `top level scalars are the same`() {
    for text in [
      "1", "\"a\"", "true", "null", "1.5", "-", "1 ", " 1", "\n\"a\"\n", "1 2", "1,", "\"a\"b",
      "nul", "1]",
    ] {
      check(text)
      check("  \(text)\r\n")
    }
  }

  @Test func `a byte anywhere is the same`() {
    let document = Array(#"{"v": [1, 2.5, true, "a\n"], "w": {"x": null}, "y": []}"#.utf8)
    let bytes =
      Array("\u{0}\u{1}\t\n\u{B}\u{C}\r !\"#'*+,-./0:;<[\\]a{}~\u{7F}".utf8) + [
        0x80, 0xA0, 0xC3, 0xE2, 0xFF,
      ]
    for index in 0...document.count {
      for byte in bytes {
        var changed = document
        changed.insert(byte, at: index)
        expectSame(JSONValue.self, Data(changed))
        guard index < document.count else { continue }
        changed = document
        changed[index] = byte
        expectSame(JSONValue.self, Data(changed))
        expectSame(Maybe<[JSONValue]>.self, Data(changed))
      }
    }
  }

  @Test func `every prefix and suffix is the same`() {
    let document = Array(
      #" {"v": [1, -2.5e3, true, "a\n\u00e4\ud83d\ude00"], "w": {"x": null}, "y": [[], {}]} "#.utf8)
    for index in 0...document.count {
      check(Data(document[..<index]))
      check(Data(document[index...]))
      var changed = document
      if index < document.count { changed.remove(at: index) }
      check(Data(changed))
    }
  }

  @Test func `slices of data are the same`() {
    let data = Data("xxxx[1,2]".utf8 + [0x20, 0x20])
    for start in 0...5 {
      expectSame([Int].self, data[start...])
      expectSame([Int].self, data[start..<9])
      expectSame([Int].self, data[start..<8])
    }
    expectSame(Int.self, Data("1234".utf8)[0..<2])
    expectSame(Int.self, Data("1234".utf8)[1..<2])
    expectSame(Double.self, Data("1.5e10".utf8)[0..<3])
  }

  @Test func `commas and colons must be right`() {
    for text in ConformanceTests.structure + ConformanceTests.objects {
      check(text)
      check("[\(text)]")
      check("{\"k\":\(text)}")
    }
  }

  @Test func `a comma before a bracket is rejected`() {
    for text in [
      "[1,]", "[1, ]", "{\"v\":1,}", "{\"v\":1 , \n}", "[[1,],2]", "{\"v\":{\"a\":1,}}",
      "[{\"v\":1,}]", "{\"v\":1,\"unread\":[1,]}",
    ] {
      #expect(FastDecoding.outcome(JSONValue.self, text).failure == .notJSON, "\(text)")
      #expect(FastDecoding.outcome(Maybe<Int>.self, text).failure == .notJSON, "\(text)")
    }
    // A comma inside a string is not a separator.
    #expect(FastDecoding.outcome([String].self, #"[",]", ",}"]"#).value == [",]", ",}"])
  }

  @Test func `what nobody reads is checked as much as by foundation`() {
    for value in [
      "-", "1.", "01", "1+2", "1e", "\"\\x\"", "\"\\ud800\"", "\"\u{1}\"", "--", "1e5e5",
      "{\"\\x\":1}", "[-]", "tru", "+1", ".5", "\"\\u12\"", "\"\\u1", "nul", "[1,,2]", "{\"a\"}",
      "\"\t\"", "{\"a\":{\"\\q\":[\"\\z\"]}}", "-a", "1a", "\\",
    ] {
      expectSame(Maybe<Int>.self, "{\"unread\":\(value),\"v\":1}")
      expectSame(Maybe<Int>.self, "{\"v\":1,\"unread\":[\(value)]}")
      expectSame([Unread].self, "[\(value),1]")
    }
    expectSame(
      Maybe<Int>.self, Data("{\"v\":1,\"unread\":\"".utf8) + [0xFF, 0xC3] + Data("\"}".utf8))
    expectSame(Maybe<Int>.self, Data("{\"v\":1,\"".utf8) + [0xFF, 0xC3] + Data("\":1}".utf8))
    expectSame([Unread].self, Data("[{\"".utf8) + [0xFF, 0xC3] + Data("\":1}]".utf8))
  }
}
