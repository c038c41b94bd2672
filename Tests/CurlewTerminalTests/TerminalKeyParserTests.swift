import TestSupport
import Testing

@testable import CurlewTerminal

/// The parsing of a terminal's bytes as keys.
struct TerminalKeyParserTests {
  /// Returns the keys for bytes that arrive in pieces.
  private func keys(_ pieces: String...) -> [TerminalKey] {
    var parser = TerminalKeyParser()
    return pieces.flatMap { parser.read($0.utf8) } + parser.flush()
  }

  @Test(
    arguments: [
      ("[A", .up), ("OA", .up), ("[B", .down), ("[1;5C", .right), ("[D", .left), ("[H", .home),
      ("OF", .end), ("[1~", .home), ("[4~", .end), ("[3~", .delete), ("[5~", .pageUp),
      ("[6;2~", .pageDown), ("[Z", .backtab), ("OM", .enter), ("[1;3D", .alt(.left)),
      ("[3;11~", .alt(.delete)), ("\u{1B}[D", .alt(.left)), ("\u{1B}OA", .alt(.up)),
      ("q", .alt(.text("q"))), ("\u{7F}", .alt(.backspace)), ("名", .alt(.text("名"))),
      ("[<0;3;2M", .click(line: 1, column: 2)), ("[<65;1;1M", .wheel(3)),
    ] as [(String, TerminalKey)])
  func `sequence is a key, also in pieces`(sequence: String, key: TerminalKey) {
    #expect(keys("\u{1B}\(sequence)a") == [key, .text("a")])
    var parser = TerminalKeyParser()
    #expect("\u{1B}\(sequence)".utf8.flatMap { parser.read([$0]) } == [key])
    #expect(!parser.isPending)
  }

  @Test func `lone escape waits for what may follow`() {
    var parser = TerminalKeyParser()
    #expect(parser.read([0x1B]) == [])
    #expect(parser.isPending)
    #expect(parser.flush() == [.escape])
    #expect(parser.read([0x1B, 0x1B]) == [])
    #expect(parser.flush() == [.escape, .escape])
    #expect(keys("\u{1B}\u{1B}q") == [.escape, .alt(.text("q"))])
  }

  /// Such as the response to a program that has asked for the color of the background.
  @Test(arguments: ["]11;rgb:0/ff/0\u{7}", "P1$r0m\u{1B}\\", "_Ga=q\u{1B}\\", "]P^_X", "]", "P"])
  func `terminal's message is no text`(message: String) {
    #expect(keys("\u{1B}\(message)") == [])
    #expect(keys("\u{1B}\(message)\u{3}").last == .control("c"))
  }

  @Test func `control characters are keys`() {
    #expect(
      keys("\r\n\t\u{7F}\u{03}\u{15}\u{01}\0")
        == [.enter, .enter, .tab, .backspace, .control("c"), .control("u"), .home])
  }

  @Test func `characters may come in pieces`() {
    var parser = TerminalKeyParser()
    let text = "é名👍🏽"
    let typed = text.utf8.flatMap { parser.read([$0]) }
    #expect(typed == text.unicodeScalars.map { .text(String($0)) })
    #expect(parser.read([0xFF, 0xC3, 0x61]) == [.text("a")])
  }

  @Test func `paste is text, whatever is in it`() {
    #expect(
      keys("\u{1B}[200~a\r\nb\u{1B}[A", "\u{1B}[20", "1~\r")
        == [.paste("a\r\nb\u{1B}[A"), .enter])
    #expect(keys("\u{1B}[200~a\r", "\nb", "\u{1B}[201~") == [.paste("a\r\nb")])
    let long = keys("\u{1B}[200~" + String(repeating: "é!", count: 50_000), "\u{1B}[201~", "q")
    #expect(long.count == 4 && long.last == .text("q"), "in pieces, so that memory is bounded")
  }

  @Test func `paste without an end can be left`() {
    #expect(keys("\u{1B}[200~abc", "\u{03}", "q") == [.paste("abc"), .control("c"), .text("q")])
  }

  @Test(arguments: [
    "[99~", "[?1;2c", "[[A", "[<3;1;2M", "[<0;1;2m", "[<0;1M",
    "[<0;1;-9223372036854775808M", "OQ", "[1;2",
  ])
  func `unknown sequence is nothing`(sequence: String) {
    #expect(keys("\u{1B}\(sequence)") == [])
  }

  @Test func `no bytes break it, in whatever pieces they come`() {
    var random = SeededGenerator(seed: Fuzz.seed())
    let bytes: [UInt8] = Array("\u{1B}[O~;0123[200~[201~AZ\r\u{03}é名".utf8) + [0xFF, 0xF0]
    for _ in 0..<Fuzz.runs(500) {
      let input = (0..<40).map { _ in
        Int.random(in: 0..<4, using: &random) == 0
          ? UInt8.random(in: 0...255, using: &random) : bytes.randomElement(using: &random) ?? 0
      }
      var (whole, pieces) = (TerminalKeyParser(), TerminalKeyParser())
      let keys = whole.read(input) + whole.flush()
      let others = input.flatMap { pieces.read([$0]) } + pieces.flush()
      #expect(joined(keys) == joined(others), "\(input)")
    }
  }

  /// Joins consecutive texts, because the division into pieces is irrelevant.
  private func joined(_ keys: [TerminalKey]) -> [String] {
    keys.reduce(into: []) { result, key in
      // A combining mark would merge with the colon.
      let kind = result.last.map { String($0.unicodeScalars.prefix(2)) }
      switch (key, kind) {
      case (.text(let text), "t:"): result[result.count - 1] += text
      case (.text(let text), _): result.append("t:" + text)
      case (.paste(let text), "p:"): result[result.count - 1] += text
      case (.paste(let text), _): result.append("p:" + text)
      default: result.append("\(key)")
      }
    }
  }
}
