import Foundation

/// A terminal without a screen: what is written to one end is read at the other.
final class PseudoTerminal {
  struct Unavailable: Error {}

  /// The end that a program takes for its terminal.
  let terminal: FileHandle
  private let screen: FileHandle

  /// Opens a terminal with a window of so many columns.
  init(columns: UInt16) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw Unavailable() }
    screen = FileHandle(fileDescriptor: master, closeOnDealloc: true)
    terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
  }

  /// Sends what a user types.
  func type(_ keys: String) throws { try screen.write(contentsOf: Data(keys.utf8)) }

  /// Changes the size of the window; the program is told by the test, as the terminal is not its session's.
  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal.fileDescriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Whether keys are echoed and come in lines, as a shell wants them.
  var isForLines: Bool {
    var settings = termios()
    guard tcgetattr(terminal.fileDescriptor, &settings) == 0 else { return false }
    return settings.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON)
  }

  /// Reads, on a thread of its own, what programs write until the last of them is gone.
  ///
  /// - Parameter onText: Called with all that was written so far, each time there is more.
  func read(onText: @escaping @Sendable (String) -> Void = { _ in }) -> Task<String, Never> {
    let descriptor = screen.fileDescriptor
    let (texts, whole) = AsyncStream<String>.makeStream()
    // Begun here, not in a task: while many tests run, a task may wait for longer than a program
    // waits for its server.
    Thread.detachNewThread {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      // Linux ends a terminal that nobody holds any more with an error, not with zero bytes.
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
