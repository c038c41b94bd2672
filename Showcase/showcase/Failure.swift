import Foundation

/// Why a command can't do what it was asked: a sentence for users, and a status for scripts.
struct Failure: Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The process's exit status; from 64 on as in sysexits(3).
  enum Status: Int32 {
    case nothingFound = 1
    case usage = 64
    case dataError = 65
    case noInput = 66
    case unavailable = 69
    case softwareError = 70
    case outputError = 74
    case tryLater = 75
    case notAllowed = 77
  }

  /// The statuses as `--help` lists them.
  static let legend = """
    EXIT STATUS
      0   something was found and printed
      1   nothing found
      64  bad usage: an unknown option, or an invalid value, also one that the server rejects
      65  bad data: a malformed recording, or a response that can't be read
      66  the recording does not exist
      69  no response: the server can't be reached or fails, or the recording or the cache has none
      70  internal error
      74  the output can't be written
      75  too many requests: try again later
      77  not allowed: the token or the key is missing, is invalid or lacks permission
    """

  /// One line without anything that would steer a terminal.
  let description: String
  let status: Status

  /// As the description: pages show it, too.
  var errorDescription: String? { description }

  init(_ message: String, status: Status) {
    description = message.printable
    self.status = status
  }

  /// Writes the line to standard error.
  func report() {
    // There is nowhere else to complain.
    try? StandardStream.error.write("Error: \(description)\n")
  }
}
