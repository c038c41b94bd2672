import Foundation

/// A standard stream for a command's output.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// An error thrown if writing fails.
  struct WriteFailure: Error, CustomStringConvertible {
    let code: Int32

    /// Whether the reader has closed the stream.
    var isClosed: Bool { code == EPIPE }

    var description: String { String(cString: strerror(code)) }
  }

  /// Writes a text immediately and without buffering, so that it is visible even if the process is
  /// killed.
  func write(_ text: String) throws(WriteFailure) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process may have set the terminal to non-blocking mode.
        var writable = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&writable, 1, -1)
      } else if errno != EINTR {
        throw WriteFailure(code: errno)
      }
    }
  }
}
