import Foundation
import HTTPTypes

/// Implements `.bearer(_:refresh:onChange:)`.
struct BearerRefreshMiddleware: Middleware {
  let session: BearerSession

  /// Adds the token, if there is one, and refreshes it after a 401.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    // The endpoint has its own credentials, or another origin, which must not get the token.
    guard request.head.headerFields[.authorization] == nil, !request.isCrossOrigin,
      !session.isRefreshing
    else { return try await next(request) }
    guard request.cacheUse.maySend else {
      // A stored response needs no valid token, and a token must not be awaited.
      return try await next(request.authorised(by: session.token))
    }
    let (token, generation) = try await session.token(for: request)
    do {
      let response = try await next(request.authorised(by: token))
      guard token != nil, response.head.status == .unauthorized, response.challengesBearer else {
        return response
      }
      guard request.body?.isRepeatable ?? true else {
        session.beginRefresh(after: generation)
        return response
      }
      await response.finishShortBody(of: request)
      // The response is released here, with its resources, such as its slot in a concurrency limit.
    }
    let (fresh, _) = try await session.token(after: generation, for: request)
    return try await next(request.authorised(by: fresh))
  }
}

extension IncomingResponse {
  /// Whether this is the response to a request with the token.
  ///
  /// A redirect to another origin drops the token, so a 401 from there does not reject the token.
  fileprivate var challengesBearer: Bool {
    request.map { $0.head.headerFields[.authorization] != nil } ?? true
  }
}

extension OutgoingRequest {
  fileprivate func authorised(by token: BearerToken?) -> OutgoingRequest {
    guard let token else { return self }
    var request = self
    request.head.headerFields[.authorization] = "Bearer \(token.access.value)"
    return request
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Authorises requests with a token (RFC 6750) that is refreshed after a 401; without a token, requests are sent
  /// without one.
  ///
  /// ``Client/signIn(with:)`` and ``Client/signOut()`` set and remove the token of a running client. Clients that share
  /// this value share the session.
  ///
  /// However many requests get a 401 at the same time, the token is refreshed once, and each of them is
  /// retried once. When the refresh fails, all waiting requests fail, and the next request tries again.
  /// A request whose body can be read only once is not retried: its 401 is returned, and the token is
  /// refreshed for later requests.
  ///
  /// ```swift
  /// let auth = Client(baseURL: "https://auth.example.com")
  /// $0.middleware = [
  ///   .bearer(stored) { old in
  ///     let grant = try await auth.send(Auth.refresh(old.refresh))
  ///     return BearerToken(access: Sensitive(grant.access), refresh: old.refresh)
  ///   }
  /// ]
  /// ```
  ///
  /// - Parameters:
  ///   - token: The first token; `nil` while nobody is signed in.
  ///   - refresh: Returns a new token for the old one; `nil`, the default, if the session has ended, which signs the user
  ///     out: requests are then sent without a token. The requests that it sends, with any client, get no token from this middleware.
  ///     An error that is no ``Client/Error`` becomes a ``Client/Error/transport(_:)``.
  ///   - onChange: Called with each later token, and with `nil` when the user is signed out, one call at a time: for a
  ///     place where the token survives a launch, such as the Keychain.
  public static func bearer(
    _ token: BearerToken?,
    refresh: @escaping @Sendable (BearerToken) async throws -> BearerToken? = { _ in nil },
    onChange: @escaping @Sendable (BearerToken?) -> Void = { _ in }
  ) -> Self {
    Self(
      BearerRefreshMiddleware(session: BearerSession(token, refresh: refresh, onChange: onChange)))
  }
}

/// A bearer token (RFC 6750), with the token that refreshes it.
public struct BearerToken: Sendable, Hashable, Codable {
  /// A function that returns the replacement of a token.
  typealias Refresh = @Sendable (BearerToken) async throws -> BearerToken?

  /// The access token, which requests carry.
  public var access: Sensitive
  /// The refresh token (RFC 6749 section 6).
  public var refresh: Sensitive?

  /// Creates a token.
  public init(access: Sensitive, refresh: Sensitive? = nil) {
    self.access = access
    self.refresh = refresh
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Authorises each request with a token (RFC 6750): `Authorization: Bearer …`.
  ///
  /// An endpoint's own `Authorization` takes precedence. A redirect to another origin drops the field,
  /// and a URL of an endpoint with another origin doesn't get it.
  public static func bearer(_ token: String) -> Self {
    .headerFields([.authorization: "Bearer \(token)"])
  }

  /// Authorises each request with a name and a password (RFC 7617): `Authorization: Basic …`.
  ///
  /// - Parameters:
  ///   - user: The user name; colons are removed.
  ///   - password: The password.
  public static func basic(user: String, password: String) -> Self {
    let credentials = Data("\(user.filter { $0 != ":" }):\(password)".utf8)
    return .headerFields([.authorization: "Basic \(credentials.base64EncodedString())"])
  }
}
