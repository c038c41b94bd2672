extension Client.Error {
  /// Whether somebody has to change the program, the API or a certificate: it does not pass by itself, and is not about
  /// what was asked for.
  package var isDefect: Bool {
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
  package enum LogImportance: Sendable {
    /// A step, for those who look for it.
    case debug
    /// A call that ended well.
    case info
    /// An error of a network, a server or a limit.
    case notice
    /// An error that does not pass by itself.
    case error
  }

  package var importance: LogImportance {
    switch stage {
    case .finished: .info
    case .failed(.cancelled): .debug
    case .failed(let error): error.isDefect ? .error : .notice
    default: .debug
    }
  }

  /// The beginning or the end of an interval.
  package struct Signpost: Sendable {
    /// Whether it is an interval of one request on the wire, and not of the whole call.
    package let isAttempt: Bool
    package let isBegin: Bool
    /// The number that the beginning and the end have in common.
    package let id: UInt64
  }

  /// The interval that begins or ends with this event; `nil` for a step within one.
  package var signpost: Signpost? {
    let (isAttempt, isBegin): (Bool, Bool)
    switch stage {
    case .began: (isAttempt, isBegin) = (false, true)
    case .finished, .failed: (isAttempt, isBegin) = (false, false)
    case .sending: (isAttempt, isBegin) = (true, true)
    case .received, .lost: (isAttempt, isBegin) = (true, false)
    default: return nil
    }
    // None of them is one of the system's own numbers: 0, its maximum and 0xEEEEB0B5B2B2EEEE.
    return Signpost(
      isAttempt: isAttempt, isBegin: isBegin, id: call << 16 | UInt64(min(attempt ?? 0, 0xFFFF)))
  }
}
