public import Foundation
import HTTPTypes

extension Client.Error: Described {
  /// One line for the log: the request, and what went wrong with it.
  ///
  /// It contains no secrets, but host, path, types and the server's own message: show users
  /// ``errorDescription`` instead.
  public var description: String { (request.map { "\($0): " } ?? "") + summary }

  private var summary: String {
    switch self {
    case .transport(let failure): failure.reason
    case .timeout(let failure):
      "\(failure.isSending ? "no more of the upload was taken for" : failure.limit.text) \(failure.duration) (limits.\(failure.limit.rawValue))"
    case .status(let failure):
      "status \(failure.response.status.code)" + (failure.message.map { ": \($0)" } ?? "")
    case .decoding(let failure):
      (failure.kind == .unexpected ? "expected \(failure.type)\(failure.lineText)" : "")
        + (failure.codingPath.isEmpty ? "" : ", at \(failure.codingPath)")
        + (failure.kind == .unexpected ? ": " : "") + failure.reason
        + (failure.excerpt.isEmpty ? "" : " Found: \(failure.excerpt)")
    case .encoding(let failure): "the body could not be encoded: \(failure.reason)"
    case .file(let failure): "\(failure.path): \(failure.reason)"
    case .invalidRequest(let failure): failure.reason
    case .tooLarge(let failure):
      "\(failure.limit.text) exceeds \(failure.bytes) bytes (limits.\(failure.limit.rawValue))"
    case .redirect(let failure): "\(failure.reason.text) (to \(failure.location))"
    case .notSent(let failure):
      "not sent: \(failure.reason.text)"
        + (failure.reason == .notInCache ? "" : ", for \(failure.retryAfter.inTenths) seconds more")
    case .cancelled: "cancelled"
    }
  }
}

extension Client.Error: LocalizedError {
  /// A sentence or two for users, which `localizedDescription` returns, too.
  ///
  /// It names no server, path or type, and quotes nothing that the server sent; ``description``, for
  /// the log, does. Show ``Client/StatusFailure/message`` as well if your API writes it
  /// for users.
  public var errorDescription: String? {
    switch self {
    case .transport(let failure): failure.kind.text
    case .timeout: "The server takes too long to respond. Try again in a moment."
    case .status(let failure): text(for: failure)
    case .decoding(let failure) where failure.isWebPage:
      "A web page came instead of data. Does this network want you to sign in?"
    case .decoding: "The server's response could not be read."
    case .encoding, .invalidRequest: "This request can't be sent."
    case .file(let failure): failure.kind.userText
    case .tooLarge: "The server's response is too large."
    case .redirect: "The server redirects to an address that can't be opened."
    case .notSent(let failure) where failure.reason == .notInCache: failure.reason.userText
    case .notSent(let failure): failure.reason.userText + suggestion
    case .cancelled: "Cancelled."
    }
  }

  /// The reason for the failure, for users, without when to retry.
  ///
  /// For an app that counts ``retryAfter`` down; `nil` for errors without it.
  public var failureReason: String? {
    guard retryAfter != nil else { return nil }
    return switch self {
    case .notSent(let failure): failure.reason.userText
    case .status(let failure) where failure.isRateLimited: Self.tooManyRequests
    case .status: Self.serverProblem
    default: nil
    }
  }

  private static let tooManyRequests = "Too many requests."
  private static let serverProblem = "The server has a problem."

  private var suggestion: String {
    guard let wait = retryAfter, wait > .zero else { return " Try again in a little while." }
    // A wait of many days is a server's mistake, and of no use to a user.
    return wait > .seconds(172_800) ? " Try again later." : " Try again in \(wait.inWords)."
  }

  private func text(for failure: Client.StatusFailure) -> String {
    if failure.isRateLimited { return Self.tooManyRequests + suggestion }
    return switch failure.response.status.code {
    case 401: "The server asks you to sign in."
    case 403: "The server does not allow this."
    case 404, 410: "This item could not be found."
    case 503 where retryAfter != nil: Self.serverProblem + suggestion
    case 500...599: Self.serverProblem + " Try again in a moment."
    default: "The server did not accept this request."
    }
  }
}

extension Client.FileFailure.Kind {
  /// The sentence for users.
  fileprivate var userText: String {
    switch self {
    case .notFound: "The file or its folder was not found."
    case .notPermitted: "The file can't be opened: access is not allowed."
    case .exists: "There is already a file with this name."
    case .noSpace: "The file can't be saved: there is not enough space."
    case .inUse: "This file is being downloaded already."
    case .changed: "The file changed while it was sent. Try again."
    case .other: "The file can't be read or saved."
    }
  }
}

extension Client.TransportFailure.Kind {
  /// The sentences for users.
  fileprivate var text: String {
    switch self {
    case .nameNotResolved:
      "The server can't be found. Check the internet connection and try again."
    case .unreachable:
      "The server can't be reached. Check the internet connection and try again."
    case .refused: "The server accepts no connections at the moment. Try again in a moment."
    case .lost: "The connection to the server was lost. Try again."
    case .untrusted:
      "There is no safe connection to the server: it can't prove that it is genuine, "
        + "or does not accept this app."
    case .tls: "A secure connection to the server is not possible."
    case .protocolError: "The server's response is invalid."
    case .contentCoding: "The server's response is damaged."
    case .digest: "The server's response arrived damaged. Try again."
    case .other: "Something is wrong with the connection to the server. Try again in a moment."
    }
  }
}

extension Client.NotSentFailure.Reason {
  /// The sentence for users.
  fileprivate var userText: String {
    switch self {
    case .rateLimit: "The server accepts no more requests for now."
    case .circuitOpen: "The server is not working at the moment."
    case .notInCache: "This has not been loaded before, and is not available offline."
    }
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
    case .lineSize: "a line"
    case .eventSize: "an event"
    }
  }
}

extension Client.DecodingFailure {
  fileprivate var lineText: String { line.map { ", in line \($0)" } ?? "" }
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
    case .notInCache: "nothing is stored, and only that was asked for"
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
      default: ((seconds + 3_599) / 3_600, "hour")
      }
    return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
  }
}

extension Client.Error {
  /// The ``description`` without its beginning, the method and the URL: for texts that have them already.
  package var reasonText: String { description.replacing(#/^[A-Z]+ \S+: /#, with: "") }
}
