import Foundation
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct LineSplitterTests {
  private func lines(_ chunks: [Data], limit: Int = 1_000) throws -> [String] {
    var splitter = LineSplitter(limit: limit)
    var lines: [[UInt8]] = []
    for chunk in chunks {
      splitter.append(chunk)
      while let line = try splitter.next() { lines.append(line) }
    }
    if let line = splitter.finish() { lines.append(line) }
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\rb\r", ["a", "b"]),
      ("a\r\nb\r\n", ["a", "b"]), ("a\n\nb", ["a", "", "b"]), ("a\r\r\nb", ["a", "", "b"]),
      ("\n\r", ["", ""]), ("\r\n\n", ["", ""]), ("\r\n\r\n", ["", ""]), ("\n\r\n", ["", ""]),
      ("ä€😀\r\n😀", ["ä€😀", "😀"]), ("a\u{85}b\u{2028}c\u{B}d", ["a\u{85}b\u{2028}c\u{B}d"]),
      ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}\u{FEFF}a", ["\u{FEFF}a"]),
      ("\u{FEFF}", []), ("\u{FEFF}\n", [""]), ("\n\u{FEFF}", ["", "\u{FEFF}"]),
    ] as [(String, [String])], [1, 2, 3, 100])
  func `lines end with LFCR or CRLF however they are cut`(
    of sample: (text: String, lines: [String]), every size: Int
  ) throws {
    #expect(try lines(Data(sample.text.utf8).cut(every: size)) == sample.lines)
  }

  @Test func `a line is complete before the line feed after its CR`() throws {
    var splitter = LineSplitter(limit: 10)
    splitter.append(Data("a\r".utf8))
    #expect(try splitter.next() == Array("a".utf8))
    #expect(try splitter.next() == nil)
    splitter.append(Data("\nb\n".utf8))
    #expect(try splitter.next() == Array("b".utf8))
  }

  @Test func `chunks may be added before the lines are taken`() throws {
    var splitter = LineSplitter(limit: 10)
    for chunk in ["a\nb", "c\n", "d\n"] { splitter.append(Data(chunk.utf8)) }
    for line in ["a", "bc", "d"] { #expect(try splitter.next() == Array(line.utf8)) }
    #expect(try splitter.next() == nil && splitter.finish() == nil)
  }

  @Test(arguments: [1, 2, 100]) func `a line over the limit is an error before its end`(size: Int)
    throws
  {
    #expect(try lines(Data("abcd\n\nabcd".utf8).cut(every: size), limit: 4).count == 3)
    #expect(throws: LineSplitter.TooLong.self) {
      try lines(Data("abcd\nabcde".utf8).cut(every: size), limit: 4)
    }
    #expect(throws: LineSplitter.TooLong.self) {
      try lines(Data("abcde\n".utf8).cut(every: size), limit: 4)
    }
  }

  @Test func `lines before one that is too long are delivered`() throws {
    var splitter = LineSplitter(limit: 3)
    splitter.append(Data("abc\nabcd\nabc\n".utf8))
    #expect(try splitter.next() == Array("abc".utf8))
    for _ in 0..<2 { #expect(throws: LineSplitter.TooLong.self) { try splitter.next() } }
  }

  /// Quadratic work would exceed the time limit.
  @Test func `a long line in chunks of one byte takes linear time`() throws {
    let size = 1024 * 1024
    var splitter = LineSplitter(limit: size)
    let chunk = Data("x".utf8)
    for _ in 0..<size {
      splitter.append(chunk)
      #expect(try splitter.next() == nil)
    }
    #expect(splitter.finish()?.count == size)
  }
}
