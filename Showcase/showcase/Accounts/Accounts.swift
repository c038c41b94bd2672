package import Curlew
package import Domain
import Platform
import Sandbox
import Synchronization

/// The users of the pages, and who has signed in, in memory.
///
/// A user's client, with the tokens, and its data sources exist from the first sign-in to the sign-out.
package final class Accounts: Sendable {
  /// The client and the data sources of a user who has signed in.
  private struct Member: Sendable {
    let client: Client
    let sources: DataSources
    /// The first tokens, which name the sign-in to revoke.
    let token: BearerToken
  }

  private struct State {
    /// The users by the secret names of their browsers' sessions.
    var sessions = VisitorTable<User>()
    var members: [User: Member] = [:]
  }

  /// The names of the users who can sign in.
  let names = Sandbox.users
  private let auth: Client
  private let make: @Sendable (User, BearerToken, _ session: StandardMiddleware) -> Member
  private let state = Mutex(State())
  private let ended = Mutex<@Sendable (User) -> Void>({ _ in })

  /// Creates the accounts of a sandbox, of which none is signed in.
  ///
  /// - Parameters:
  ///   - baseURL: The base URL of the sandbox's GitHub.
  ///   - network: The network of the users' clients, which don't share its cache.
  ///   - sources: The sources of those who have not signed in.
  ///   - host: Makes the code host of a user's client, which stores the user's changes until they are sent.
  package init(
    at baseURL: BaseURL, over network: Network, sources: DataSources,
    host: @escaping @Sendable (Client, User) -> any CodeHost
  ) {
    auth = .gitHub(baseURL, over: network)
    make = { user, token, session in
      var network = network
      // No response of a user is stored on disk, and a sign-out empties the whole cache.
      if network.cache != nil { network.cache = .memory(account: { _ in user.name }) }
      let client = Client.gitHub(baseURL, over: network, credentials: session)
      return Member(client: client, sources: sources.with(host(client, user)), token: token)
    }
  }

  /// Returns the data sources of a user; `nil` for one who has signed out.
  package func sources(of user: User) -> DataSources? {
    state.withLock { $0.members[user]?.sources }
  }

  /// Returns the user of a session.
  func user(of session: String) -> User? { state.withLock { $0.sessions[session] } }

  /// Signs a user in, and returns the name of a new session, which nobody can guess: 128 random bits; `nil` for an
  /// unknown user.
  ///
  /// - Parameter old: The browser's session before, which ends.
  func signIn(_ name: String, insteadOf old: String?) async throws -> String? {
    guard names.contains(name), let grant = try await auth.send(GitHub.signIn(name)) else {
      return nil
    }
    let user = User(name: name, canChangeIssues: grant.canWrite)
    let session = Self.randomName()
    state.withLock { state in
      if state.members[user] == nil {
        let bearer = StandardMiddleware.gitHubSession(grant.token, renewedBy: auth) {
          [weak self] in if $0 == nil { self?.forget(user) }
        }
        state.members[user] = make(user, grant.token, bearer)
      }
      if let old { state.sessions.remove(old) }
      state.sessions.set(user, of: session)
    }
    return session
  }

  /// Signs a user out in all browsers: revokes the tokens, ends the sessions, and removes the cached responses, the
  /// store's data and the pending changes.
  ///
  /// After a sign-in that ends by itself, pending changes wait for the user's next one.
  package func signOut(_ user: User) async {
    let member = state.withLock { $0.members[user] }
    member?.sources.host.discardPendingChanges()
    await member?.client.signOut(revoking: member?.token)
  }

  /// Sets the closure that is called when a user has been signed out, also because the tokens are no longer renewed.
  func whenSignedOut(_ body: @escaping @Sendable (User) -> Void) { ended.withLock { $0 = body } }

  private func forget(_ user: User) {
    let wasSignedIn = state.withLock { state in
      state.sessions.removeAll { $0 == user }
      return state.members.removeValue(forKey: user) != nil
    }
    if wasSignedIn { ended.withLock { $0 }(user) }
  }

  private static func randomName() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<16).map { _ in
      let digits = String(UInt8.random(in: 0 ... .max, using: &random), radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}
