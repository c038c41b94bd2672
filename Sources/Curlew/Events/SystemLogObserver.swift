#if canImport(os)
  import os

  /// An observer that writes events to the system's log (Console) and intervals to Instruments.
  public struct SystemLogObserver: RequestObserver {
    private let logger: Logger
    private let signposter: OSSignposter
    private let isPublic: Bool

    init(subsystem: String, category: String, isPublic: Bool) {
      logger = Logger(subsystem: subsystem, category: category)
      signposter = OSSignposter(subsystem: subsystem, category: category)
      self.isPublic = isPublic
    }

    /// Writes an event to the log, and begins or ends an interval.
    public func observe(_ event: RequestEvent) {
      let level: OSLogType =
        switch event.importance {
        case .debug: .debug
        case .info: .info
        case .notice: .default
        case .error: .error
        }
      if isPublic {
        logger.log(level: level, "\(event.description, privacy: .public)")
      } else {
        logger.log(level: level, "\(event.description)")
      }
      if signposter.isEnabled, let signpost = event.signpost { draw(signpost, event) }
    }

    private func draw(_ signpost: RequestEvent.Signpost, _ event: RequestEvent) {
      let id = OSSignpostID(signpost.id)
      switch (signpost.isAttempt, signpost.isBegin) {
      case (false, true): _ = signposter.beginInterval("Call", id: id, "\(event.description)")
      case (false, false):
        signposter.endInterval("Call", .beginState(id: id), "\(event.description)")
      case (true, true): _ = signposter.beginInterval("Request", id: id, "\(event.description)")
      case (true, false):
        signposter.endInterval("Request", .beginState(id: id), "\(event.description)")
      }
    }
  }

  extension RequestObserver where Self == SystemLogObserver {
    /// Returns an observer that writes each event to the system's log, with secrets masked, and shows each
    /// call and each request as an interval in Instruments (os_signpost).
    ///
    /// The end of a call has the level `info`, or `default` for an error, or `error` for an error that
    /// needs a change of the program, the API or a certificate. All other events have the level `debug`,
    /// which the system does not store.
    ///
    /// - Parameters:
    ///   - subsystem: The app's identifier, such as `com.example.app`.
    ///   - category: The category of the log.
    ///   - isPublic: Whether the texts, which contain URLs, are readable in a log that a user sends;
    ///     otherwise they are readable only while a debugger is attached.
    public static func systemLog(
      subsystem: String, category: String = "requests", isPublic: Bool = false
    ) -> Self {
      SystemLogObserver(subsystem: subsystem, category: category, isPublic: isPublic)
    }
  }
#endif

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
