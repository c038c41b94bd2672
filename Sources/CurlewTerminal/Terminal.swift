import Foundation

/// The capabilities of a standard stream as a terminal.
public struct Terminal: Sendable, Equatable {
  /// The number of supported colours.
  public enum Colors: Sendable {
    /// None, as `NO_COLOR` asks for, the palettes of 16 and of 256, and 24 bits.
    case none, basic, indexed, full
  }

  /// The width of its window in columns; `nil` if it is not a terminal, and lines may have any length.
  public private(set) var width: Int?
  /// The colours to use.
  public let colors: Colors
  /// Whether the cursor can move, so that a line can be redrawn.
  public let hasCursor: Bool
  /// Whether the terminal displays UTF-8, according to the locale.
  let isUnicode: Bool

  /// Creates capabilities from a window's width, `nil` for no terminal, and a process's environment.
  ///
  /// `COLUMNS`, `TERM`, `COLORTERM`, `NO_COLOR`, `LC_ALL`, `LC_CTYPE` and `LANG` are respected. `isColored` overrides whether
  /// colours are used; by default they are on a terminal, unless `NO_COLOR` is set.
  public init(windowWidth: Int?, environment: [String: String], isColored: Bool? = nil) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }?.uppercased()
    isUnicode = locale.map { $0.contains("UTF-8") || $0.contains("UTF8") } ?? true
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    width = windowWidth.map { columns ?? $0 }
    let type = environment["TERM"] ?? ""
    hasCursor = windowWidth != nil && !["", "dumb"].contains(type)
    let isColored = isColored ?? (hasCursor && environment["NO_COLOR"]?.isEmpty != false)
    let isFull = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    let isBasic = ["linux", "ansi", "cygwin", "vt"].contains { type.hasPrefix($0) }
    colors = !isColored ? .none : isFull ? .full : isBasic ? .basic : .indexed
  }

  /// Returns the terminal with a smaller width, for a part of its window.
  func narrowed(to width: Int) -> Terminal {
    var part = self
    part.width = max(1, width)
    return part
  }

  /// Returns a drawn line in ASCII, with the same width, unless the terminal displays UTF-8.
  func encoded(_ line: String) -> String {
    guard width != nil, !isUnicode, !line.utf8.allSatisfy({ $0 < 0x80 }) else { return line }
    return line.map { character in
      if character.isASCII { return String(character) }
      if let replacement = Self.ascii[character] { return replacement }
      let letter = String(character).decomposedStringWithCanonicalMapping.first
      let base = letter?.unicodeScalars.first.flatMap { $0.isASCII ? String($0) : nil } ?? "?"
      return String("\(base)??".prefix(character.terminalWidth))
    }.joined()
  }

  private static let ascii: [Character: String] = [
    "…": "~", "─": "-", "│": "|", "›": ">", "‹": "<", "·": "-", "–": "-", "—": "-", "•": "*",
    "★": "*", "✓": "v", "↑": "^", "↓": "v", "←": "<", "→": ">", "“": "\"", "”": "\"", "‘": "'",
    "’": "'",
  ]
}
