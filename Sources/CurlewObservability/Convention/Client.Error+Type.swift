import Curlew
import HTTPTypes

extension Client.Error {
  /// The conventions' name for unknown methods and other error types.
  static let otherType = "_OTHER"

  /// The value of `error.type`: a predefined name or the status code.
  var type: String {
    switch self {
    case .transport(let failure): failure.kind.type
    case .timeout(let failure): failure.limit.type
    case .status(let failure): "\(failure.response.status.code)"
    case .decoding: "decoding"
    case .encoding: "encoding"
    case .file: "file"
    case .invalidRequest: "invalid_request"
    case .tooLarge: "too_large"
    case .redirect: "redirect"
    case .notSent(let failure):
      switch failure.reason {
      case .rateLimit: "rate_limit"
      case .circuitOpen: "circuit_open"
      case .notInCache: "not_stored"
      }
    case .cancelled: "cancelled"
    }
  }
}

extension Client.TransportFailure.Kind {
  fileprivate var type: String {
    switch self {
    case .nameNotResolved: "name_not_resolved"
    case .unreachable: "unreachable"
    case .refused: "connection_refused"
    case .lost: "connection_lost"
    case .untrusted: "certificate_untrusted"
    case .tls: "tls"
    case .protocolError: "protocol_error"
    case .contentCoding: "content_coding"
    case .digest: "digest"
    case .other: Client.Error.otherType
    }
  }
}

extension Client.TimeoutFailure.Limit {
  fileprivate var type: String {
    switch self {
    case .connect: "timeout_connect"
    case .firstByte: "timeout_first_byte"
    case .idle: "timeout_idle"
    case .total: "timeout_total"
    }
  }
}

extension RequestEvent.RetryReason {
  /// The value of `error.type`.
  var type: String {
    switch self {
    case .status(let status): "\(status)"
    case .failure(let error): error.type
    }
  }
}
