import Curlew
import CurlewTerminal
import Domain
import Foundation
import HTTPTypes

/// The error of a command: a message for users, and an exit status for scripts.
package struct Failure: Error, Equatable, CustomStringConvertible, LocalizedError {
  /// The exit status of the process; values from 64 follow sysexits(3).
  package enum Status: Int32 {
    case nothingFound = 1
    case usage = 64
    case dataError = 65
    case noInput = 66
    case unavailable = 69
    case softwareError = 70
    case outputError = 74
    case tryLater = 75
    case notAllowed = 77

    fileprivate init(_ error: Client.Error) {
      switch error {
      case .notSent(let failure) where failure.reason == .notInCache: self = .unavailable
      case .notSent: self = .tryLater
      case .status(let failure) where failure.isRateLimited: self = .tryLater
      case .status(let failure) where [401, 403].contains(failure.response.status.code):
        self = .notAllowed
      case .status(let failure) where [400, 422].contains(failure.response.status.code):
        self = .usage
      case .transport, .timeout, .status, .redirect, .cancelled: self = .unavailable
      case .decoding, .tooLarge: self = .dataError
      case .encoding, .invalidRequest: self = .softwareError
      case .file: self = .outputError
      @unknown default: self = .softwareError
      }
    }
  }

  /// The exit statuses, as text for `--help`.
  static let legend = """
    EXIT STATUS
      0   something was found and printed
      1   nothing found
      64  bad usage: an unknown option, or a rejected value
      65  bad data: a recording or a response that can't be read
      66  the recording does not exist
      69  no response from the server, the recording or the cache
      70  internal error
      74  the output can't be written
      75  too many requests: try again later
      77  not allowed: no valid token or key, or no permission
    """

  /// The message: one line without terminal control characters.
  package let description: String
  let status: Status

  /// The same message, because pages show the error, too.
  var errorDescription: String? { description }

  package init(_ message: String, status: Status) {
    description = message.printable
    self.status = status
  }

  /// Creates a failure with a message for users; details for developers are in the log.
  init(_ error: any Error) {
    switch error {
    case let error as Failure: self = error
    case let error as Replay.MissingPage: self.init("\(error)", status: .unavailable)
    case let error as Client.Error:
      self.init(error.localizedDescription, status: Status(error))
    case is UnwatchableHost, is ReadOnlyHost:
      self.init(error.localizedDescription, status: .unavailable)
    case is IssueRefusal: self.init(error.localizedDescription, status: .usage)
    default: self.init("Something went wrong in this program.", status: .softwareError)
    }
  }

  /// Writes the message to standard error.
  func report() {
    // If standard error fails, the error can't be reported.
    try? StandardStream.error.write("Error: \(description)\n")
  }
}
