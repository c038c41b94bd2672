import Foundation

/// The capabilities of a standard stream as a terminal.
package struct Terminal: Sendable, Equatable {
  /// The number of supported colours.
  package enum Colors: Sendable {
    case none
    /// The palette of 256.
    case indexed
    /// 24 bits.
    case full
  }

  /// When colours are used.
  package enum ColorMode: String, CaseIterable, Sendable {
    /// On a terminal, unless `NO_COLOR` is set.
    case auto
    case always
    case never
  }

  /// The width of its window in columns; `nil` if it is not a terminal, and lines may have any
  /// length.
  package let width: Int?
  package let colors: Colors
  /// Whether the cursor can move, so that a line can be redrawn.
  let hasCursor: Bool

  /// Creates a terminal with cursor control.
  package init(width: Int, colors: Colors) {
    (self.width, self.colors, hasCursor) = (width, colors, true)
  }

  /// Returns the terminal with a smaller width, for a part of its window.
  func narrowed(to width: Int) -> Terminal { Terminal(width: max(1, width), colors: colors) }

  /// Creates the capabilities of a standard stream.
  init(of stream: StandardStream, colors mode: ColorMode = .auto) {
    var size = winsize()
    let isTerminal = isatty(stream.rawValue) == 1
    let isKnown =
      isTerminal && ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    self.init(
      windowWidth: isTerminal ? isKnown ? Int(size.ws_col) : 80 : nil,
      environment: ProcessInfo.processInfo.environment, colors: mode)
  }

  /// Creates capabilities from the window's width, `nil` for no terminal, and the process's
  /// environment.
  package init(
    windowWidth: Int?, environment: [String: String], colors mode: ColorMode = .auto
  ) {
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    width = windowWidth.map { columns ?? $0 }
    hasCursor = windowWidth != nil && !["", "dumb"].contains(environment["TERM"] ?? "")
    let isColored =
      switch mode {
      case .auto: hasCursor && environment["NO_COLOR"]?.isEmpty != false
      case .always: true
      case .never: false
      }
    let isFull = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    colors = !isColored ? .none : isFull ? .full : .indexed
  }
}
