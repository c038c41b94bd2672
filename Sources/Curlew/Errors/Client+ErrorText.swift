public import Foundation
import HTTPTypes

extension Client.Error: CustomStringConvertible, CustomDebugStringConvertible {
  /// One line for a developer's log: the request, and what went wrong with it.
  public var description: String { (request.map { "\($0): " } ?? "") + what }

  /// As ``description``.
  public var debugDescription: String { description }

  private var what: String {
    switch self {
    case .transport(let failure): failure.reason
    case .timeout(let failure):
      "\(failure.limit.text) \(failure.duration) (limits.\(failure.limit.rawValue))"
    case .status(let failure):
      "status \(failure.response.status.code)" + (failure.message.map { ": \($0)" } ?? "")
    case .decoding(let failure):
      "expected \(failure.type)"
        + (failure.codingPath.isEmpty ? "" : ", at \(failure.codingPath)")
        + ": \(failure.reason)"
        + (failure.excerpt.isEmpty ? "" : " Found: \(failure.excerpt)")
    case .encoding(let failure): "the body could not be encoded: \(failure.reason)"
    case .invalidRequest(let failure): failure.reason
    case .tooLarge(let failure):
      "\(failure.limit.text) exceeds \(failure.bytes) bytes (limits.\(failure.limit.rawValue))"
    case .redirect(let failure): "\(failure.reason.text) (to \(failure.location))"
    case .notSent(let failure):
      "not sent: \(failure.reason.text), for \(failure.retryAfter.inTenths) seconds more"
    case .cancelled: "cancelled"
    }
  }
}

extension Client.Error: LocalizedError {
  /// A sentence or two for a user.
  public var errorDescription: String? {
    switch self {
    case .transport(let failure): text(for: failure.kind)
    case .timeout: "\(host) takes too long to respond. Try again in a moment."
    case .status(let failure): text(for: failure)
    case .decoding: "\(host) sent a response that this app can't read."
    case .encoding, .invalidRequest: "This request can't be sent."
    case .tooLarge: "\(host) sent more than this app can take."
    case .redirect: "\(host) points to a place that can't be opened."
    case .notSent(let failure): text(for: failure.reason) + suggestion
    case .cancelled: "Cancelled."
    }
  }

  /// What is the matter, without when to try again.
  ///
  /// For whoever shows the time of ``retryAfter`` as it goes by; `nil` for errors that have none.
  public var failureReason: String? {
    guard retryAfter != nil else { return nil }
    return switch self {
    case .notSent(let failure): text(for: failure.reason)
    case .status(let failure) where failure.isRateLimited: tooManyRequests
    case .status: "\(host) has a problem of its own."
    default: nil
    }
  }

  private var tooManyRequests: String { "\(host) asks to wait: too many requests." }

  private var suggestion: String {
    let wait = retryAfter.flatMap { $0 > .zero ? $0.inWords : nil }
    return " Try again in \(wait ?? "a little while")."
  }

  private func text(for kind: Client.TransportFailure.Kind) -> String {
    switch kind {
    case .nameNotResolved: "\(host) can't be found. Check the internet connection and try again."
    case .unreachable: "\(host) can't be reached. Check the internet connection and try again."
    case .refused: "\(host) takes no connections at the moment. Try again in a moment."
    case .lost: "The connection to \(host) was lost. Try again."
    case .untrusted:
      "There is no safe connection to \(host): it can't prove that it is genuine, "
        + "or does not accept this app."
    case .tls: "A secure connection to \(host) is not possible."
    case .protocolError: "\(host) sent a response that makes no sense."
    case .contentCoding: "\(host) sent a response that is damaged."
    case .other: "Something is wrong with the connection to \(host). Try again in a moment."
    }
  }

  private func text(for reason: Client.NotSentFailure.Reason) -> String {
    switch reason {
    case .rateLimit: "\(host) takes no more requests for now."
    case .circuitOpen: "\(host) does not work at the moment."
    }
  }

  private func text(for failure: Client.StatusFailure) -> String {
    if failure.isRateLimited { return tooManyRequests + suggestion }
    let said = failure.message.map { " It says: \($0)" } ?? ""
    return switch failure.response.status.code {
    case 401: "\(host) wants to know who you are.\(said)"
    case 403: "\(host) does not allow this.\(said)"
    case 404, 410: "\(host) does not have this."
    case 503 where retryAfter != nil: "\(host) has a problem of its own.\(suggestion)\(said)"
    case 500...599: "\(host) has a problem of its own. Try again in a moment.\(said)"
    default: "\(host) refused this (\(failure.response.status.code)).\(said)"
    }
  }

  /// The server's name without its port, from the request's text.
  private var host: String {
    guard let request, let scheme = request.range(of: "://") else { return "The server" }
    let authority = request[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let host = authority.replacing(/:[0-9]*$/, with: "")
    return host.isEmpty ? "The server" : String(host)
  }
}

extension Client.TimeoutFailure.Limit {
  fileprivate var text: String {
    switch self {
    case .connect: "no connection within"
    case .firstByte: "no response within"
    case .idle: "nothing more of the response came for"
    case .total: "not done within"
    }
  }
}

extension Client.TooLargeFailure.Limit {
  fileprivate var text: String {
    switch self {
    case .bodySize: "the body"
    case .headerSize: "the header"
    }
  }
}

extension Client.RedirectFailure.Reason {
  fileprivate var text: String {
    switch self {
    case .tooMany(let limit): "more than \(limit) redirects (limits.redirects)"
    case .insecure: "a redirect from https to http is not followed"
    case .malformedLocation: "a redirect to something that is not an http or https URL"
    }
  }
}

extension Client.NotSentFailure.Reason {
  fileprivate var text: String {
    switch self {
    case .rateLimit: "the rate limit is used up"
    case .circuitOpen: "the circuit is open after failures in a row"
    }
  }
}

extension Duration {
  /// The seconds, rounded up to a tenth.
  fileprivate var inTenths: Double { (self / .milliseconds(100)).rounded(.up) / 10 }

  /// `42 seconds`, `5 minutes`: rounded up, so that it is enough.
  fileprivate var inWords: String {
    let (whole, fraction) = components
    let seconds = fraction > 0 ? whole + 1 : whole
    let (count, unit) =
      switch seconds {
      case ..<120: (seconds, "second")
      case ..<7_200: ((seconds + 59) / 60, "minute")
      case ..<172_800: ((seconds + 3_599) / 3_600, "hour")
      default: ((seconds + 86_399) / 86_400, "day")
      }
    return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}
