import Curlew
import Foundation
import HTTPTypes

extension Failure {
  /// Tells why something could not be had: first for a user, then for whoever looks into it.
  init(_ error: any Error, from source: Source) {
    switch error {
    case let error as Failure: self = error
    case let error as Client.Error: self.init(error, from: source)
    default: self.init("\(error)", status: .softwareError)
    }
  }

  private init(_ error: Client.Error, from source: Source) {
    let detail: String
    switch error {
    case .invalidRequest(let failure) where source.isReplay:
      self.init(
        "The recording can't response \(failure.request): \(failure.reason).", status: .unavailable)
      return
    case .status(let failure) where !failure.isRateLimited:
      // What the server says stands in the sentence before it.
      detail = "\(failure.request): status \(failure.response.status.code)"
    // How long to wait stands there, too.
    case .notSent(let failure): detail = "\(failure.request): not sent"
    default: detail = "\(error)"
    }
    self.init("\(error.localizedDescription) (\(detail))", status: Status(error))
  }
}

extension Failure.Status {
  fileprivate init(_ error: Client.Error) {
    switch error {
    case .notSent: self = .tryLater
    case .status(let failure) where failure.isRateLimited: self = .tryLater
    case .status(let failure) where [401, 403].contains(failure.response.status.code):
      self = .notAllowed
    case .status(let failure) where [400, 422].contains(failure.response.status.code):
      self = .usage
    case .transport, .timeout, .status, .redirect, .cancelled: self = .unavailable
    case .decoding, .tooLarge: self = .dataError
    case .encoding, .invalidRequest: self = .softwareError
    }
  }
}
