/// The short names of a script's variables: 2 KB of the compressed script are saved by them.
///
/// A part is a statement at the top of the script, such as a function. The names at the top are unique; those of a part are
/// reused by other parts. Properties keep their names. A variable must not have the name of a global one, such as `history`,
/// that its part uses, too.
struct ScriptNames {
  /// The tokens with short names.
  private(set) var tokens: [ScriptToken]
  private var uses: [Use] = []
  private var declared: Set<Name> = []

  private enum Role { case variable, property, shorthand }

  /// A name, in a part, or at the top.
  private struct Name: Hashable {
    let text: String
    let part: Int?
  }

  /// A name token that is no keyword.
  private struct Use {
    let index: Int
    let role: Role
    let part: Int
    /// The token before it.
    let previous: String
  }

  /// - Parameter tokens: The tokens without line breaks before names are read; the script must be enclosed in a function.
  init(_ tokens: [ScriptToken]) {
    self.tokens = tokens
    read()
    rename()
  }

  private static let keywords: Set = [
    "async", "await", "break", "case", "catch", "class", "const", "continue", "default", "delete",
    "do", "else",
    "extends", "false", "finally", "for", "function", "get", "if", "in", "instanceof", "let", "new",
    "null", "of",
    "return", "set", "static", "super", "switch", "this", "throw", "true", "try", "typeof",
    "undefined", "void", "while",
    "yield",
  ]

  /// The tokens before a brace that opens an object or a pattern, not a block.
  private static let beforeObjects: Set = [
    "(", ",", "=", ":", "[", "?", "return", "||", "&&", "??", "const", "let", "...",
  ]

  // MARK: - Reading

  private struct Bracket {
    let index: Int
    let isObject: Bool
    /// The number of uses before it.
    let uses: Int
    /// The token before it.
    let previous: String
  }

  private mutating func read() {
    var brackets: [Bracket] = []
    var part = 0
    var previous = ""
    let significant = tokens.indices.filter { tokens[$0].kind != .lineBreak }
    for (number, index) in significant.enumerated() {
      let token = tokens[index]
      let next = number + 1 < significant.count ? tokens[significant[number + 1]].text : ""
      switch token.kind {
      case .sign where ["(", "[", "{"].contains(token.text):
        brackets.append(
          Bracket(
            index: index, isObject: token.text == "{" && Self.beforeObjects.contains(previous),
            uses: uses.count, previous: previous))
      case .sign where [")", "]", "}"].contains(token.text):
        guard let bracket = brackets.popLast() else { break }
        if isDeclaration(bracket, end: token.text, next: next) { declare(since: bracket.uses) }
        if brackets.isEmpty, token.text == "}", !bracket.isObject { part += 1 }
      case .sign where token.text == ";" && brackets.isEmpty: part += 1
      case .name where !Self.keywords.contains(token.text):
        let role = role(previous: previous, next: next, isInObject: brackets.last?.isObject == true)
        uses.append(Use(index: index, role: role, part: part, previous: previous))
        if ["const", "let", "function", "class"].contains(previous) || next == "=>" {
          declared.insert(
            Name(text: token.text, part: brackets.isEmpty && next != "=>" ? nil : part))
        }
      case .literal:
        // An expression in a template literal.
        if token.text.hasPrefix("}") { brackets.removeLast() }
        if token.text.hasSuffix("${") {
          brackets.append(
            Bracket(index: index, isObject: false, uses: uses.count, previous: previous))
        }
      default: break
      }
      previous = token.text
    }
  }

  private func role(previous: String, next: String, isInObject: Bool) -> Role {
    if previous == "." || previous == "?." { return .property }
    guard isInObject else { return .variable }
    if ["{", ","].contains(previous) { return [":", "("].contains(next) ? .property : .shorthand }
    return ["get", "set", "async"].contains(previous) && next == "(" ? .property : .variable
  }

  /// Whether brackets enclose parameters, or a pattern of declared variables.
  private func isDeclaration(_ bracket: Bracket, end: String, next: String) -> Bool {
    if end == ")" {
      return next == "=>"
        || next == "{" && !["if", "for", "while", "switch"].contains(bracket.previous)
    }
    return bracket.previous == "const" || bracket.previous == "let"
  }

  private mutating func declare(since first: Int) {
    for use in uses[first...]
    where use.role != .property && ["(", ",", "[", "{", "...", ":"].contains(use.previous) {
      declared.insert(Name(text: tokens[use.index].text, part: use.part))
    }
  }

  // MARK: - Renaming

  private func name(of use: Use) -> Name? {
    let text = tokens[use.index].text
    return [Name(text: text, part: nil), Name(text: text, part: use.part)].first(
      where: declared.contains)
  }

  private mutating func rename() {
    var counts: [Name: Int] = [:]
    var taken = Self.keywords
    for use in uses where use.role != .property {
      if let name = name(of: use) {
        counts[name, default: 0] += 1
      } else {
        taken.insert(tokens[use.index].text)
      }
    }
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    let free = (letters + letters.flatMap { first in letters.map { first + $0 } })
      .filter { !taken.contains($0) }
    let parts = Dictionary(grouping: counts.keys, by: \.part)
    // Names at the top have two letters.
    let used = free.filter { $0.count == 2 }.prefix(parts[nil]?.count ?? 0)
    let own = free.filter { !used.contains($0) }
    var short: [Name: String] = [:]
    for (part, names) in parts {
      let sorted = names.sorted { (counts[$1] ?? 0, $0.text) < (counts[$0] ?? 0, $1.text) }
      for (name, text) in zip(sorted, part == nil ? Array(used) : own) { short[name] = text }
    }
    for use in uses where use.role != .property {
      guard let text = name(of: use).flatMap({ short[$0] }) else { continue }
      let isShorthand = use.role == .shorthand
      tokens[use.index].text = isShorthand ? "\(tokens[use.index].text):\(text)" : text
    }
  }
}
