import Foundation
import HTTPTypes
import Synchronization

/// Implements `.bearer(_:refresh:)`.
struct BearerRefreshMiddleware: Middleware {
  private struct State {
    var token: BearerToken?
    /// The number of refreshes: a 401 for an older token needs no refresh.
    var generation = 0
    var waiting: [Renewal]?
  }

  private typealias Renewal = Waiter<(BearerToken, Int)>

  private final class Box: Sendable {
    let state: Mutex<State>

    init(_ token: BearerToken?) {
      state = Mutex(State(token: token))
    }
  }

  /// The middlewares whose refreshes the current task runs: one may need another's token.
  @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

  private let refresh: BearerToken.Refresh
  private let box: Box

  /// Creates a middleware.
  ///
  /// - Parameters:
  ///   - token: The first token; `nil` to request it before the first request.
  ///   - refresh: Returns a new token.
  init(_ token: BearerToken?, refresh: @escaping BearerToken.Refresh) {
    self.refresh = refresh
    box = Box(token)
  }

  /// Adds the token, and refreshes it after a 401.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    // The endpoint has its own credentials, or another origin, which must not get the token.
    // The request for a new token can't wait for that token.
    guard request.head.headerFields[.authorization] == nil, !request.isCrossOrigin,
      !Self.refreshing.contains(ObjectIdentifier(box))
    else { return try await next(request) }
    guard request.cacheUse.maySend else {
      // A stored response needs no valid token, and a token must not be requested or awaited.
      let token = box.state.withLock { $0.token }
      return try await next(token.map { request.authorised(by: $0) } ?? request)
    }
    let (token, generation) = try await self.token(after: nil, for: request)
    do {
      let response = try await next(request.authorised(by: token))
      guard response.head.status == .unauthorized, response.challengesBearer else {
        return response
      }
      guard request.body?.isRepeatable ?? true else {
        beginRefresh(after: generation)
        return response
      }
      await response.finishShortBody(of: request)
      // The response is released here, with its resources, such as its slot in a concurrency limit.
    }
    let (fresh, _) = try await self.token(after: generation, for: request)
    return try await next(request.authorised(by: fresh))
  }

  /// Returns the token to use, or the replacement of a rejected token; requests a token if there is
  /// none, and waits for a running refresh.
  ///
  /// - Parameter rejected: The generation of the rejected token.
  private func token(
    after rejected: Int?, for request: OutgoingRequest
  ) async throws(Client.Error) -> (BearerToken, Int) {
    let waiter = Renewal()
    let (ready, isFirst, old) = box.state.withLock { state in
      if let token = state.token, state.waiting == nil, state.generation > rejected ?? -1 {
        return (Optional((token, state.generation)), false, BearerToken?.none)
      }
      let isFirst = state.waiting == nil
      state.waiting = (state.waiting ?? []) + [waiter]
      return (nil, isFirst, state.token)
    }
    if let ready { return ready }
    if isFirst { startRenewal(of: old) }
    return try await request.wait(for: waiter, as: .waitingForToken)
  }

  /// Starts a refresh for later requests, unless the rejected token is replaced or is being refreshed.
  private func beginRefresh(after rejected: Int) {
    let (isFirst, old) = box.state.withLock { state in
      guard state.waiting == nil, state.generation == rejected else {
        return (false, BearerToken?.none)
      }
      state.waiting = []
      return (true, state.token)
    }
    if isFirst { startRenewal(of: old) }
  }

  /// Requests a token in a task of its own, which continues when the request that started it is cancelled.
  private func startRenewal(of old: BearerToken?) {
    Self.$refreshing.withValue(Self.refreshing.union([ObjectIdentifier(box)])) {
      _ = Task { @concurrent in await renew(old) }
    }
  }

  private func renew(_ old: BearerToken?) async {
    let result: Result<BearerToken, any Error>
    do {
      result = .success(try await refresh(old))
    } catch {
      result = .failure(error)
    }
    let (waiting, generation) = box.state.withLock { state in
      if case .success(let token) = result {
        state.token = token
        state.generation += 1
      }
      defer { state.waiting = nil }
      return (state.waiting ?? [], state.generation)
    }
    for waiter in waiting { waiter.resume(with: result.map { ($0, generation) }) }
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
  fileprivate func authorised(by token: BearerToken) -> OutgoingRequest {
    var request = self
    request.head.headerFields[.authorization] = "Bearer \(token.access.value)"
    return request
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Authorises requests with a token (RFC 6750) that is refreshed after a 401.
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
  ///     let grant = try await auth.send(Auth.refresh(old?.refresh))
  ///     return BearerToken(access: Sensitive(grant.access), refresh: old?.refresh)
  ///   }
  /// ]
  /// ```
  ///
  /// - Parameters:
  ///   - token: The first token; `nil` to request it before the first request.
  ///   - refresh: Returns a new token for the old one. The requests that it sends, with any client, get no token from this
  ///     middleware. An error that is no ``Client/Error`` becomes a ``Client/Error/transport(_:)``.
  public static func bearer(
    _ token: BearerToken?,
    refresh: @escaping @Sendable (BearerToken?) async throws -> BearerToken
  ) -> Self {
    Self(BearerRefreshMiddleware(token, refresh: refresh))
  }
}

/// A bearer token (RFC 6750), with the token that refreshes it.
public struct BearerToken: Sendable, Hashable {
  /// A function that returns the replacement of a token.
  typealias Refresh = @Sendable (BearerToken?) async throws -> BearerToken

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
