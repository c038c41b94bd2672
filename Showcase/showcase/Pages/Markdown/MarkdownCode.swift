import CurlewLive

extension Markdown {
  /// Syntax highlighting of code in the language of its fence: comments, strings, numbers and
  /// keywords.
  ///
  /// It has no grammars, so it highlights many languages approximately.
  struct Code {
    /// The maximum length of highlighted code in bytes, which limits the size of the page.
    static let maximumLength = 8_192

    private static let keywords: Set<String> = [
      "actor", "as", "async", "await", "break", "case", "catch", "class", "const", "continue",
      "def", "default", "defer", "do", "elif", "else", "end", "enum", "export", "extension",
      "false", "fi", "fn", "for", "from", "func", "function", "guard", "if", "impl", "import",
      "in", "init", "interface", "is", "let", "match", "mut", "new", "nil", "none", "None", "null",
      "package", "pass", "private", "protocol", "pub", "public", "return", "self", "Self",
      "static", "struct", "super", "switch", "then", "this", "throw", "throws", "trait", "true",
      "True", "False", "try", "type", "typealias", "use", "var", "void", "where", "while", "with",
      "yield",
    ]
    /// The languages with comments that begin with a number sign.
    private static let scripts: Set<String> = [
      "bash", "console", "py", "python", "rb", "ruby", "sh", "shell", "toml", "yaml", "yml", "zsh",
    ]
    private static let languages: Set<String> = scripts.union([
      "c", "cpp", "cs", "css", "go", "java", "javascript", "js", "json", "kotlin", "kt", "objc",
      "php", "rs", "rust", "scala", "swift", "ts", "typescript",
    ])

    private let isScript: Bool
    private var isComment = false

    /// Creates a highlighter; returns `nil` for an unsupported language.
    init?(language: String) {
      let name = language.lowercased()
      guard Self.languages.contains(name) else { return nil }
      isScript = Self.scripts.contains(name)
    }

    /// Returns the HTML of the next line.
    mutating func html(_ line: MarkdownBytes) -> String {
      let bytes = Array(line)
      var (html, index) = ("", 0)
      while index < bytes.count {
        let (end, kind) = token(in: bytes, at: index)
        let text = bytes[index..<end].html
        html += kind.map { "<span class=\"\($0)\">\(text)</span>" } ?? text
        index = end
      }
      return html
    }

    /// Returns the end of the token at an index, and its class.
    private mutating func token(in bytes: [UInt8], at start: Int) -> (end: Int, kind: String?) {
      let byte = bytes[start]
      let next = start + 1 < bytes.count ? bytes[start + 1] : 0
      if isComment || (byte == 0x2F && next == 0x2A && !isScript) {
        var index = isComment ? start : start + 2
        while index + 1 < bytes.count, bytes[index] != 0x2A || bytes[index + 1] != 0x2F {
          index += 1
        }
        isComment = index + 1 >= bytes.count
        return (isComment ? bytes.count : index + 2, "c")
      }
      if isScript ? byte == 0x23 : byte == 0x2F && next == 0x2F { return (bytes.count, "c") }
      switch byte {
      case 0x22, 0x27, 0x60:
        var index = start + 1
        while index < bytes.count, bytes[index] != byte {
          index += bytes[index] == 0x5C ? 2 : 1
        }
        // An apostrophe doesn't begin a string.
        return index < bytes.count ? (index + 1, "s") : (start + 1, nil)
      case _ where Self.isWord(byte):
        var index = start + 1
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
        if byte >= 0x30, byte <= 0x39 { return (index, "n") }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        return (index, Self.keywords.contains(word) ? "k" : nil)
      default:
        var index = start + 1
        while index < bytes.count, !Self.begins(bytes[index]) { index += 1 }
        return (index, nil)
      }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      byte >= 0x80 || byte == 0x5F || (byte >= 0x30 && byte <= 0x39)
        || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
    }

    /// Whether a byte may begin a highlighted token.
    private static func begins(_ byte: UInt8) -> Bool {
      isWord(byte) || [0x22, 0x23, 0x27, 0x2F, 0x60].contains(byte)
    }
  }
}
