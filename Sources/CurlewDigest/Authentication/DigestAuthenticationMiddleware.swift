public import Curlew
import HTTPTypes

/// Implements `.digestAuthentication(user:password:)`.
struct DigestAuthenticationMiddleware: Middleware {
  private let user: String
  private let password: Sensitive
  private let clientNonce: @Sendable () -> String
  private let sessions = DigestSessions()

  init(user: String, password: String, clientNonce: (@Sendable () -> String)?) {
    (self.user, self.password) = (user, Sensitive(password))
    // 128 bits from the system's secure generator.
    self.clientNonce =
      clientNonce ?? {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
      }
  }

  /// Adds credentials if a nonce is known, and responds to the challenge of a 401 once.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    // The endpoint has its own credentials, or another origin, which must not get a hash either.
    guard request.head.headerFields[.authorization] == nil, !request.isCrossOrigin else {
      return try await next(request)
    }
    var request = request
    request.redaction.headerFields.insert(.authorization)
    var use = sessions.next(of: request.origin)
    // Each redirect may lead to a URI that needs its own credentials.
    var answered: Set<String> = []
    while true {
      let attempt = authorised(request, by: use)
      do {
        let response = try await next(attempt)
        let sent = response.request ?? attempt
        guard sent.origin == request.origin else { return response }
        guard response.head.status == .unauthorized else { return response }
        guard answered.insert("\(sent.head.method) \(sent.target)").inserted,
          answered.count <= request.limits.redirects + 1
        else {
          // The credentials are wrong: don't reuse them.
          if let use { sessions.forget(use, of: request.origin) }
          return response
        }
        guard let challenge = DigestChallenge.strongest(in: response.head.headerFields) else {
          return response
        }
        use = sessions.take(challenge, of: request.origin, clientNonce)
        request.follow(sent)
        guard request.isRepeatable else { return response }
        await response.finishShortBody(of: attempt)
        // The response is released here, with its resources, such as its slot in a concurrency limit.
      }
    }
  }

  private func authorised(
    _ request: OutgoingRequest, by use: DigestSessions.Use?
  ) -> OutgoingRequest {
    guard let use else { return request }
    let credentials = DigestCredentials(
      user: user, password: password, nonce: use, method: request.head.method.rawValue,
      uri: request.target)
    var request = request
    request.head.headerFields[.authorization] = credentials.field
    return request
  }
}

extension OutgoingRequest {
  /// The path and query, as in the request line.
  fileprivate var target: String { head.path ?? "/" }
  fileprivate var isRepeatable: Bool { body?.isRepeatable ?? true }

  /// Applies the changes of redirects to this request, without the changes of network middlewares.
  fileprivate mutating func follow(_ sent: OutgoingRequest) {
    head.method = sent.head.method
    head.path = sent.head.path
    if sent.body == nil, body != nil {
      body = nil
      let kept = sent.head.headerFields
      head.headerFields = HTTPFields(head.headerFields.filter { kept.contains($0.name) })
    }
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Authorises requests with a name and a password in response to a server's challenge (Digest
  /// access authentication, RFC 7616).
  ///
  /// The password is never sent, only a hash: SHA-256 or MD5, the strongest that the server offers. The
  /// first request gets a 401 and is retried with credentials, if its body can be read again; later
  /// requests to the origin use the known nonce. For wrong credentials, an unknown algorithm or a body
  /// that can be read only once, the 401 is returned. An endpoint's own `Authorization` takes
  /// precedence, and a redirect to another origin gets no credentials.
  ///
  /// List it after `.retrying()` and after middlewares that change the path, the query or the body:
  /// the credentials are for one URI. Use https: with plain HTTP an attacker can guess weak
  /// passwords.
  ///
  /// - Parameters:
  ///   - user: The user name.
  ///   - password: The password.
  ///   - clientNonce: Returns a client nonce; `nil`, the default, for 128 random bits.
  public static func digestAuthentication(
    user: String, password: String, clientNonce: (@Sendable () -> String)? = nil
  ) -> Self {
    Self(DigestAuthenticationMiddleware(user: user, password: password, clientNonce: clientNonce))
  }
}
