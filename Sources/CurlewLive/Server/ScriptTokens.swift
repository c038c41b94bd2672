/// A token of a script in JavaScript, as far as removing comments, white space and long names needs it (ECMAScript
/// section 12).
struct ScriptToken {
  enum Kind { case name, number, literal, sign, lineBreak }

  var kind: Kind
  var text: String
}

/// Reads the tokens of a script, without comments and spaces.
///
/// A regular expression's literal is told from a division by the token before it, so none can follow a parenthesis.
struct ScriptTokens {
  private let code: [UInt8]
  private var index = 0
  private(set) var tokens: [ScriptToken] = []
  /// The numbers of open braces in the expressions of template literals.
  private var braces: [Int] = []

  init(_ code: [UInt8]) {
    self.code = code
    while index < code.count { readToken() }
  }

  private mutating func readToken() {
    let start = index
    let byte = code[index]
    index += 1
    switch byte {
    case UInt8(ascii: " "): return
    case UInt8(ascii: "\n"): add(.lineBreak, from: start)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      skip(to: byte)
      add(.literal, from: start)
    case UInt8(ascii: "`"): readTemplate(from: start)
    case UInt8(ascii: "}") where braces.last == 0:
      braces.removeLast()
      readTemplate(from: start)
    case UInt8(ascii: "/") where isNext("/"):
      index = code[index...].firstIndex(of: UInt8(ascii: "\n")) ?? code.count
    case UInt8(ascii: "/") where isNext("*"):
      while index < code.count,
        !(code[index - 1] == UInt8(ascii: "*") && isNext("/") && index > start + 2)
      {
        index += 1
      }
      index += 1
    case UInt8(ascii: "/") where startsExpression:
      skipExpression()
      add(.literal, from: start)
    case _ where Self.isPartOfName(byte):
      while index < code.count, Self.isPartOfName(code[index]) { index += 1 }
      add((UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? .number : .name, from: start)
    default: readSign(from: start)
    }
  }

  private mutating func readSign(from start: Int) {
    for sign in ["...", "===", "!==", "=>", "?.", "??", "&&", "||", "++", "--"]
    where code[start...].starts(with: sign.utf8) {
      index = start + sign.utf8.count
    }
    if let open = braces.indices.last {
      if code[start] == UInt8(ascii: "{") { braces[open] += 1 }
      if code[start] == UInt8(ascii: "}") { braces[open] -= 1 }
    }
    add(.sign, from: start)
  }

  /// Reads a part of a template literal, up to the next expression or the end.
  private mutating func readTemplate(from start: Int) {
    while index < code.count, code[index] != UInt8(ascii: "`") {
      if code[index] == UInt8(ascii: "$"), code[(index + 1)...].first == UInt8(ascii: "{") {
        index += 2
        braces.append(0)
        return add(.literal, from: start)
      }
      index += code[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
    add(.literal, from: start)
  }

  /// Whether a slash here starts a regular expression.
  private var startsExpression: Bool {
    guard let last = tokens.last(where: { $0.kind != .lineBreak }) else { return true }
    switch last.kind {
    case .name: return last.text == "return"
    case .sign: return ![")", "]", "}"].contains(last.text)
    case .literal: return last.text.hasSuffix("${")
    case .number, .lineBreak: return false
    }
  }

  private mutating func skipExpression() {
    var isInClass = false
    while index < code.count, code[index] != UInt8(ascii: "/") || isInClass {
      if code[index] == UInt8(ascii: "[") { isInClass = true }
      if code[index] == UInt8(ascii: "]") { isInClass = false }
      index += code[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
    while index < code.count, Self.isPartOfName(code[index]) { index += 1 }
  }

  private mutating func skip(to end: UInt8) {
    while index < code.count, code[index] != end {
      index += code[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
  }

  private func isNext(_ character: Unicode.Scalar) -> Bool {
    index < code.count && code[index] == UInt8(ascii: character)
  }

  private mutating func add(_ kind: ScriptToken.Kind, from start: Int) {
    index = min(index, code.count)
    tokens.append(
      ScriptToken(kind: kind, text: String(decoding: code[start..<index], as: UTF8.self)))
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}

extension [ScriptToken] {
  /// The tokens as text, with the necessary white space: between words, and line breaks that may end a statement.
  var packed: String {
    let inside: Set = ["&&", "||", "??", "?", ":", ".", "?.", "=", "=>", "+", ","]
    let starts: Set = ["{", "(", "[", ";"]
    let ends: Set = [")", "]", "}"]
    var text = ""
    var previous = ";"
    var isAfterWord = false
    var isAfterBreak = false
    for token in self {
      guard token.kind != .lineBreak else {
        isAfterBreak = true
        continue
      }
      let isWord = token.kind == .name || token.kind == .number
      if isAfterBreak, inside.union(starts).isDisjoint(with: [previous]),
        inside.union(ends).isDisjoint(with: [token.text])
      {
        text += "\n"
      } else if isWord && isAfterWord || previous == token.text && ["+", "-"].contains(previous) {
        text += " "
      }
      text += token.text
      (previous, isAfterWord, isAfterBreak) = (token.text, isWord, false)
    }
    return text
  }
}
