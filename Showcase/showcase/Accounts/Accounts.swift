package import Curlew
package import CurlewFleet
package import Domain
package import Foundation
import Platform
import Sandbox
import Synchronization

/// The users of the pages who have signed in at any server.
///
/// A user's client, with the tokens, and its data sources exist from the first request to the sign-out.
package final class Accounts: Sendable {
  /// The client and the data sources of a user who has signed in.
  private struct Member: Sendable {
    let user: User
    let client: Client
    let sources: DataSources
    /// Exchanges the user's changes with other servers.
    let exchange: Task<Void, Never>?
    var signIn: SignIn
  }

  /// The names of the users who can sign in.
  let names = Sandbox.users
  private let auth: Client
  private let signIns: SignIns
  private let now: @Sendable () -> Date
  private let make: @Sendable (User, SignIn, _ session: StandardMiddleware) -> Member
  private let members = Mutex<[String: Member]>([:])
  private let ended = Mutex<@Sendable (User) -> Void>({ _ in })
  private let follower = Mutex<Task<Void, Never>?>(nil)

  /// Creates the accounts of a sandbox.
  ///
  /// - Parameters:
  ///   - baseURL: The base URL of the sandbox's GitHub.
  ///   - network: The network of the users' clients, which don't share its cache.
  ///   - sources: The sources of those who have not signed in.
  ///   - fleet: The servers that share the sign-ins.
  ///   - now: Returns the current date.
  ///   - host: Makes the code host of a user's client, which stores the user's changes until they are sent, and the task that
  ///     exchanges them with other servers.
  package init(
    at baseURL: BaseURL, over network: Network, sources: DataSources, fleet: Fleet = Fleet(),
    now: @escaping @Sendable () -> Date = { Date() },
    host: @escaping @Sendable (Client, User) -> (any CodeHost, exchange: Task<Void, Never>?)
  ) {
    auth = .gitHub(baseURL, over: network)
    signIns = SignIns(fleet: fleet)
    self.now = now
    make = { user, signIn, session in
      var network = network
      // No response of a user is stored on disk, and a sign-out empties the whole cache.
      if network.cache != nil { network.cache = .memory(account: { _ in user.name }) }
      let client = Client.gitHub(baseURL, over: network, credentials: session)
      let (host, exchange) = host(client, user)
      return Member(
        user: user, client: client, sources: sources.with(host), exchange: exchange,
        signIn: signIn)
    }
    follower.withLock {
      $0 = Task { [weak self, signIns] in
        for await name in signIns.changes { await self?.update(name) }
      }
    }
  }

  deinit { follower.withLock { $0 }?.cancel() }

  /// Returns the data sources of a user; `nil` for one who has signed out.
  package func sources(of user: User) -> DataSources? {
    members.withLock { $0[user.name] }.flatMap { $0.user == user ? $0.sources : nil }
  }

  /// Returns the user of a session: a server that knows it asks nobody, since it follows all changes.
  package func user(of session: String) async -> User? {
    let (digest, now) = (SignIns.digest(of: session), now())
    let known = members.withLock { members in
      members.values.first { $0.signIn.has(digest, at: now) }
    }
    if let known { return known.user }
    guard let name = await signIns.user(of: digest), let signIn = await signIns.signIn(of: name),
      signIn.has(digest, at: now)
    else { return nil }
    return keep(signIn, of: name)
  }

  /// Signs a user in, and returns the name of a new session, which nobody can guess: 128 random bits; `nil` for an
  /// unknown user.
  ///
  /// - Parameter old: The browser's session before, which ends.
  package func signIn(_ name: String, insteadOf old: String?) async throws -> String? {
    guard names.contains(name), let grant = try await auth.send(GitHub.signIn(name)) else {
      return nil
    }
    if let old, let user = await user(of: old) {
      try await signIns.remove(SignIns.digest(of: old), of: user.name)
      await update(user.name)
    }
    let session = Self.randomName()
    let new = SignIn(canChangeIssues: grant.canWrite, token: grant.token)
    keep(
      try await signIns.add(
        SignIns.digest(of: session), of: name, beginning: new, at: now()), of: name)
    return session
  }

  /// Signs a user out in all browsers: revokes the tokens, ends the sessions, and removes the cached responses, the
  /// store's data and the pending changes.
  ///
  /// After a sign-in that ends by itself, pending changes wait for the user's next one.
  package func signOut(_ user: User) async {
    guard let member = members.withLock({ $0[user.name] }) else { return }
    member.sources.host.discardPendingChanges()
    await end(member.signIn, of: user.name)
    await member.client.signOut(revoking: member.signIn.token)
  }

  /// Sets the closure that is called when a user has been signed out, also because the tokens are no longer renewed.
  package func whenSignedOut(_ body: @escaping @Sendable (User) -> Void) {
    ended.withLock { $0 = body }
  }

  /// Makes a sign-in known to this server.
  @discardableResult
  private func keep(_ signIn: SignIn, of name: String) -> User {
    let user = User(name: name, canChangeIssues: signIn.canChangeIssues)
    members.withLock { members in
      if members[name]?.signIn.token == signIn.token {
        members[name]?.signIn = signIn
        return
      }
      let refresh = signIns.fleet.singleFlight(signIn.tokenName, expires: SignIns.time) {
        [auth] (old: BearerToken) in try await auth.send(GitHub.refresh(old))?.token
      }
      members[name] = make(
        user, signIn,
        .bearer(signIn.token, refresh: refresh) { [weak self] token in
          if token == nil { Task { await self?.end(signIn, of: name) } }
        })
    }
    return user
  }

  /// Ends a sign-in at all servers.
  private func end(_ signIn: SignIn, of name: String) async {
    try? await signIns.remove(signIn, of: name)
    await forget(signIn, of: name)
  }

  /// Reads the sign-in of a user, or of all whom this server knows.
  private func update(_ name: String?) async {
    let known = members.withLock { $0 }.filter { name == nil || name == $0.key }
    for (name, member) in known {
      if let signIn = await signIns.current(member.signIn, of: name),
        signIn.token == member.signIn.token
      {
        members.withLock { members in
          if members[name]?.signIn.token == signIn.token { members[name]?.signIn = signIn }
        }
      } else {
        await forget(member.signIn, of: name)
      }
    }
  }

  /// Ends a sign-in at this server.
  private func forget(_ signIn: SignIn, of name: String) async {
    let member = members.withLock { members in
      members[name]?.signIn.token == signIn.token ? members.removeValue(forKey: name) : nil
    }
    guard let member else { return }
    member.exchange?.cancel()
    ended.withLock { $0 }(member.user)
    await member.client.signOut()
  }

  private static func randomName() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<16).map { _ in
      let digits = String(UInt8.random(in: 0 ... .max, using: &random), radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}
