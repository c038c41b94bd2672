public import Curlew

extension GitHub {
  /// Returns a request for the tokens of a user, who has no password; `nil` for an unknown user.
  ///
  /// Only the sandbox supports it.
  public static func signIn(_ name: String) -> Request<GrantPayload?> { grant(["login": name]) }

  /// Returns a request that replaces expired tokens; `nil` if the sign-in has ended.
  public static func refresh(_ token: BearerToken) -> Request<GrantPayload?> {
    grant(["grant_type": "refresh_token", "refresh_token": token.refresh])
  }

  /// Returns a request that makes all tokens of a sign-in invalid.
  public static func revoke(_ token: BearerToken) -> Request<Void> {
    .delete("/applications/showcase/grant", body: .json(["access_token": token.access]))
  }

  private static func grant(_ form: Query) -> Request<GrantPayload?> {
    .post("/login/oauth/access_token", body: .form(form)).returning(nil, for: .badRequest)
      .retryable()
  }
}

/// The JSON representation of issued tokens (RFC 6749 section 5.1).
public struct GrantPayload: Decodable, Sendable {
  private let access, refresh: Sensitive
  private let scope: String

  /// The tokens.
  public var token: BearerToken { BearerToken(access: access, refresh: refresh) }
  /// Whether the user may change issues.
  public var canWrite: Bool { scope == "public_repo" }

  private enum CodingKeys: String, CodingKey {
    case access = "access_token"
    case refresh = "refresh_token"
    case scope
  }
}

extension Client {
  /// Signs the user of a GitHub session out, also if the server can't be reached, and revokes the tokens.
  public func signOut(revoking token: BearerToken?) async {
    await signOut()
    if let token { _ = try? await send(GitHub.revoke(token)) }
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Returns a session of a user of the sandbox: its requests carry the access token, which a client without the session
  /// renews.
  public static func gitHubSession(
    _ token: BearerToken?, renewedBy auth: Client,
    onChange: @escaping @Sendable (BearerToken?) -> Void
  ) -> Self {
    .bearer(
      token, refresh: { try await auth.send(GitHub.refresh($0))?.token }, onChange: onChange)
  }
}
