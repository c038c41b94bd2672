import Foundation

/// Where a command writes to.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// Says why something can't be written.
  struct WriteFailure: Error, CustomStringConvertible {
    let code: Int32

    /// Whether nobody reads any more.
    var isClosed: Bool { code == EPIPE }

    var description: String { String(cString: strerror(code)) }
  }

  /// Writes a text at once, past all buffers, so that it is seen even when the process is killed.
  func write(_ text: String) throws(WriteFailure) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process may have made the terminal non-blocking.
        var writable = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&writable, 1, -1)
      } else if errno != EINTR {
        throw WriteFailure(code: errno)
      }
    }
  }
}
