import Foundation

/// A pseudo-terminal: output to its terminal side can be read.
final class PseudoTerminal {
  struct Unavailable: Error {}

  /// The side that a program uses as its terminal.
  let terminal: FileHandle
  private let screen: FileHandle

  /// Opens a terminal with a window of the given number of columns.
  init(columns: UInt16) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw Unavailable() }
    screen = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
  }

  /// Sends the user's input.
  func type(_ keys: String) throws { try screen.write(contentsOf: Data(keys.utf8)) }

  /// Resizes the window; the test must signal the program, because the terminal doesn't belong to
  /// its session.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Whether input is echoed and line-buffered, as in a shell.
  var isForLines: Bool {
    var settings = termios()
    guard tcgetattr(terminal.fileDescriptor, &settings) == 0 else { return false }
    return settings.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON)
  }

  /// Reads the output of programs on a separate thread, until the last program has closed the
  /// terminal.
  ///
  /// - Parameter onText: Called with the whole output so far, whenever there is more.
  func read(onText: @escaping @Sendable (String) -> Void = { _ in }) -> Task<String, Never> {
    let descriptor = screen.fileDescriptor
    let (texts, whole) = AsyncStream<String>.makeStream()
    // The thread starts here instead of in a task: while many tests run, a task may be delayed for
    // longer than a program's timeout.
    Thread.detachNewThread {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      // When the last descriptor is closed, Linux returns an error instead of zero bytes.
      while case let count = Foundation.read(descriptor, &buffer, buffer.count), count > 0 {
        bytes += buffer[..<count]
        onText(String(decoding: bytes, as: UTF8.self))
      }
      whole.yield(String(decoding: bytes, as: UTF8.self))
      whole.finish()
    }
    return Task { await texts.first { _ in true } ?? "" }
  }
}
