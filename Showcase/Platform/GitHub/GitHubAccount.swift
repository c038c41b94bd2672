public import Curlew
import CurlewScreens

/// The user of an app at the sandbox's GitHub, by the same requests as on the pages and in the commands.
public struct GitHubAccount: Sendable {
  /// The client whose requests carry the user's token.
  public let client: Client
  private let token: Shared<BearerToken?>

  /// Creates an account.
  ///
  /// - Parameters:
  ///   - token: The stored token; `nil` if nobody has signed in.
  ///   - auth: The client without a session that renews the token.
  ///   - save: Stores each later token, and `nil` after a sign-out.
  ///   - make: Makes the client with the session.
  public init(
    _ token: BearerToken?, renewedBy auth: Client,
    save: @escaping @Sendable (BearerToken?) -> Void,
    client make: (StandardMiddleware) throws -> Client
  ) rethrows {
    let shared = Shared(token)
    self.token = shared
    client = try make(
      .gitHubSession(token, renewedBy: auth) { token in
        save(token)
        shared.update { $0 = token }
      })
  }

  /// Whether a user has signed in, which views observe.
  public var isSignedIn: Bool { token.value != nil }

  /// The name of the user who has signed in.
  public var userName: String? { token.value?.userName }

  /// Signs a user in; returns false for an unknown name.
  public func signIn(_ name: String) async throws -> Bool {
    guard let grant = try await client.send(GitHub.signIn(name)) else { return false }
    await client.signIn(with: grant.token)
    return true
  }

  /// Signs the user out, and revokes the tokens.
  public func signOut() async { await client.signOut(revoking: token.value) }
}

extension BearerToken {
  /// The name of the user, which the sandbox's tokens contain.
  fileprivate var userName: String? {
    let parts = access.value.split(separator: "_")
    return parts.count == 4 ? String(parts[1]) : nil
  }
}
