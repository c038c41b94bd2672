// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(macOS) || os(Linux)
  public import Foundation
  import Synchronization

  private struct Written {
    var bytes: [UInt8] = []
  }

  /// A pseudo-terminal, whose user is a test.
  public final class PseudoTerminal: Sendable {
    struct Unavailable: Error {}

    /// The side that a program uses as its terminal.
    public let terminal: FileHandle
    private let screen: FileHandle
    private let written = Mutex(Written())

    /// Opens a terminal with a window of the given size.
    public init(columns: UInt16, rows: UInt16 = 24) throws {
      var (master, slave): (Int32, Int32) = (-1, -1)
      var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw Unavailable() }
      screen = FileHandle(fileDescriptor: master, closeOnDealloc: true)
      terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }

    /// Sends the user's input.
    public func type(_ keys: String) throws { try screen.write(contentsOf: Data(keys.utf8)) }

    /// Resizes the window; the test must signal the program, because the terminal doesn't belong to its session.
    public func resize(columns: UInt16, rows: UInt16) {
      var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      _ = ioctl(terminal.fileDescriptor, UInt(TIOCSWINSZ), &size)
    }

    /// The terminal's settings, as `stty -a` prints them.
    public var settings: [tcflag_t] {
      var settings = termios()
      guard tcgetattr(terminal.fileDescriptor, &settings) == 0 else { return [] }
      return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }

    /// Whether input is echoed and line-buffered, as in a shell.
    public var isForLines: Bool {
      settings.last.map { $0 & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON) } ?? false
    }

    /// Reads on this thread until a text has come, and closes the user's side, as the window of a terminal does.
    public func close(after text: String) throws {
      var output = Data()
      while !String(decoding: output, as: UTF8.self).contains(text) {
        output += screen.availableData
      }
      try screen.close()
    }

    /// Reads the output of programs on a separate thread, until the last program has closed the terminal.
    ///
    /// - Parameter onText: Called with the whole output so far, whenever there is more.
    @discardableResult
    public func read(onText: @escaping @Sendable (String) -> Void = { _ in }) -> Task<String, Never>
    {
      let descriptor = screen.fileDescriptor
      let (texts, whole) = AsyncStream<String>.makeStream()
      // The thread starts here instead of in a task: while many tests run, a task may be delayed for longer than a
      // program's timeout.
      Thread.detachNewThread { [self] in
        var buffer = [UInt8](repeating: 0, count: 65_536)
        // When the last descriptor is closed, Linux returns an error instead of zero bytes.
        while case let count = Foundation.read(descriptor, &buffer, buffer.count), count > 0 {
          onText(
            String(
              decoding: written.withLock { written in
                written.bytes += buffer[..<count]
                return written.bytes
              }, as: UTF8.self))
        }
        whole.yield(text)
        whole.finish()
      }
      return Task { await texts.first { _ in true } ?? "" }
    }

    /// The output so far.
    public var text: String { String(decoding: written.withLock(\.bytes), as: UTF8.self) }

    /// Waits for a text after the first `count` bytes of the output; returns the number of bytes so far.
    @discardableResult
    public func wait(for text: String, after count: Int = 0) async -> Int {
      while !Task.isCancelled {
        let bytes = written.withLock(\.bytes)
        if String(decoding: bytes.dropFirst(count), as: UTF8.self).contains(text) {
          return bytes.count
        }
        try? await Task.sleep(for: .milliseconds(10))
      }
      return count
    }
  }
#endif
