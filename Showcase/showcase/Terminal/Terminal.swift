import Foundation

/// What standard output can show.
struct Terminal: Sendable, Equatable {
  /// How many colours there are.
  enum Colors: Sendable {
    case none
    /// The palette of 256.
    case indexed
    /// 24 bits.
    case full
  }

  /// The columns of its window; `nil` when it is no terminal, and lines may have any length.
  let width: Int?
  let colors: Colors

  /// The terminal that standard output is, if it is one.
  static var current: Terminal {
    Terminal(
      windowWidth: isatty(STDOUT_FILENO) == 1 ? windowWidth ?? 80 : nil,
      environment: ProcessInfo.processInfo.environment)
  }

  /// Describes a terminal by its window's columns, `nil` for none, and the process's environment.
  init(windowWidth: Int?, environment: [String: String]) {
    guard let windowWidth else {
      (width, colors) = (nil, .none)
      return
    }
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    width = columns ?? windowWidth
    let terminal = environment["TERM"] ?? ""
    let isPlain = environment["NO_COLOR"]?.isEmpty == false || ["", "dumb"].contains(terminal)
    let isFull = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    colors = isPlain ? .none : isFull ? .full : .indexed
  }

  private static var windowWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
