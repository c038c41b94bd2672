extension Client.Error {
  /// Whether the error needs a change of the program, the API or a certificate: it is neither transient nor
  /// specific to the requested resource.
  public var isDefect: Bool {
    switch self {
    case .encoding, .invalidRequest: true
    case .decoding(let failure): !failure.isWebPage
    case .transport(let failure): failure.kind == .untrusted
    case .timeout, .status, .file, .tooLarge, .redirect, .notSent, .cancelled: false
    }
  }
}

extension RequestEvent {
  /// The importance of an event in the system's log.
  enum LogImportance: Sendable {
    /// A step of a call, for debugging.
    case debug
    /// A successful call.
    case info
    /// A network error, a server error or an exceeded limit.
    case notice
    /// An error that is not transient, such as an incompatible API (``Client/Error/isDefect``).
    case error
  }

  var importance: LogImportance {
    switch stage {
    case .finished: .info
    case .failed(.cancelled): .debug
    case .failed(let error): error.isDefect ? .error : .notice
    default: .debug
    }
  }

  /// The beginning or the end of an interval in Instruments.
  struct Signpost: Sendable {
    /// Whether the interval is one request on the wire, and not the whole call.
    let isAttempt: Bool
    let isBegin: Bool
    /// The number that identifies the interval.
    let id: UInt64
  }

  /// The beginning or the end of an interval; `nil` for an event within an interval.
  var signpost: Signpost? {
    let (isAttempt, isBegin): (Bool, Bool)
    switch stage {
    case .began: (isAttempt, isBegin) = (false, true)
    case .finished, .failed: (isAttempt, isBegin) = (false, false)
    case .sending: (isAttempt, isBegin) = (true, true)
    case .received, .lost: (isAttempt, isBegin) = (true, false)
    default: return nil
    }
    // These numbers can't equal the system's reserved numbers: 0, the maximum and 0xEEEEB0B5B2B2EEEE.
    return Signpost(
      isAttempt: isAttempt, isBegin: isBegin, id: call << 16 | UInt64(min(attempt ?? 0, 0xFFFF)))
  }
}
