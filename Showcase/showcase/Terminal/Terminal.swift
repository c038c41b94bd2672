import Foundation

/// What a standard stream can show.
package struct Terminal: Sendable, Equatable {
  /// How many colours there are.
  package enum Colors: Sendable {
    case none
    /// The palette of 256.
    case indexed
    /// 24 bits.
    case full
  }

  /// The columns of its window; `nil` when it is no terminal, and lines may have any length.
  package let width: Int?
  package let colors: Colors
  /// Whether the cursor can go back, so that a line can be drawn again.
  let hasCursor: Bool

  /// Describes a terminal whose cursor can be moved.
  package init(width: Int, colors: Colors) {
    (self.width, self.colors, hasCursor) = (width, colors, true)
  }

  /// The terminal as a part of its window is.
  func narrowed(to width: Int) -> Terminal { Terminal(width: max(1, width), colors: colors) }

  /// Describes the terminal that a stream is, if it is one.
  init(of stream: StandardStream) {
    var size = winsize()
    let isTerminal = isatty(stream.rawValue) == 1
    let isKnown =
      isTerminal && ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    self.init(
      windowWidth: isTerminal ? isKnown ? Int(size.ws_col) : 80 : nil,
      environment: ProcessInfo.processInfo.environment)
  }

  /// Describes a terminal by its window's columns, `nil` for none, and the process's environment.
  package init(windowWidth: Int?, environment: [String: String]) {
    guard let windowWidth else {
      (width, colors, hasCursor) = (nil, .none, false)
      return
    }
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    width = columns ?? windowWidth
    hasCursor = !["", "dumb"].contains(environment["TERM"] ?? "")
    let isPlain = environment["NO_COLOR"]?.isEmpty == false || !hasCursor
    let isFull = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    colors = isPlain ? .none : isFull ? .full : .indexed
  }
}
