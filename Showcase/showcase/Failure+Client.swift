import Curlew
import Domain
import Foundation
import HTTPTypes

extension Failure {
  /// Says to users why something could not be loaded; what a developer needs is in the log.
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
}

extension Failure.Status {
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
    }
  }
}
