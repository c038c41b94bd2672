import Foundation

// MARK: Network

struct APIError: LocalizedError {
  let message: String
  var status: Int?
  /// The date of the earliest retry.
  var retryAt: Date?
  var isTransient = false

  var errorDescription: String? { message }
}

extension APIError {
  /// Discards the underlying error, because a `URLError` contains the URL, which may contain a key.
  init(_ error: any Error) {
    switch error {
    case let error as APIError: self = error
    case let error as URLError:
      let lostConnections: Set<URLError.Code> = [
        .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
      ]
      self.init(
        message: error.localizedDescription, isTransient: lostConnections.contains(error.code))
    case is DecodingError: self.init(message: "The server’s response could not be read.")
    default: self.init(message: error.localizedDescription)
    }
  }

  init(_ response: HTTPURLResponse, body: Data) {
    struct Reason: Decodable {
      let message: String?
      let statusMessage: String?
    }
    let status = response.statusCode
    let reason = try? JSONDecoder.snakeCase.decode(Reason.self, from: body)
    self.init(
      message: reason?.message ?? reason?.statusMessage
        ?? HTTPURLResponse.localizedString(forStatusCode: status).localizedCapitalized,
      status: status, retryAt: response.retryAt,
      isTransient: [408, 429].contains(status) || status >= 500)
  }
}

extension HTTPURLResponse {
  /// The date from `Retry-After`, in seconds or as a date, or the end of GitHub's rate limit.
  fileprivate var retryAt: Date? {
    if let header = value(forHTTPHeaderField: "Retry-After") {
      if let seconds = Int(header) { return Date(timeIntervalSinceNow: TimeInterval(seconds)) }
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
      return formatter.date(from: header)
    }
    guard [403, 429].contains(statusCode),
      value(forHTTPHeaderField: "X-RateLimit-Remaining") == "0",
      let reset = value(forHTTPHeaderField: "X-RateLimit-Reset").flatMap({ Int($0) })
    else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(reset))
  }
}

extension JSONDecoder {
  static var snakeCase: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}

/// Retries an operation up to twice after transient failures, unless the server sends a retry date.
func retrying<Value>(_ operation: () async throws -> Value) async throws -> Value {
  for pause in [Duration.milliseconds(500), .milliseconds(1500)] {
    do { return try await operation() } catch {
      let failure = APIError(error)
      guard failure.isTransient, failure.retryAt == nil else { throw error }
      try await Task.sleep(for: pause)
    }
  }
  return try await operation()
}
