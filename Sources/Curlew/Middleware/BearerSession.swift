import Synchronization

/// An object with a user's data, which it removes when the user signs out.
package protocol SessionFollower: AnyObject, Sendable {
  /// Removes the user's data.
  func forgetUser() async
  /// Sends what waits for a user.
  func userSignedIn()
}

extension SessionFollower {
  package func userSignedIn() {}
}

/// The session of a user, with the token of `.bearer(_:refresh:onChange:)`, for the clients that share it.
final class BearerSession: Sendable {
  private struct State {
    var token: BearerToken?
    /// The number of tokens so far: a 401 for an older token needs no refresh.
    var generation = 0
    var waiting: [Renewal]?
    /// The value of ``Call/signOuts`` after the session's newest sign-out.
    var signOuts = 0
  }

  /// A token with its generation; the token is `nil` while nobody is signed in.
  typealias Current = (token: BearerToken?, generation: Int)
  typealias Renewal = Waiter<Current>

  private struct Member {
    weak var follower: (any SessionFollower)?
  }

  /// The sessions whose refreshes the current task runs: one may need another's token.
  @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

  private let refresh: BearerToken.Refresh?
  private let onChange: @Sendable (BearerToken?) -> Void
  private let state: Mutex<State>
  private let members = Mutex<[Member]>([])
  /// Orders the calls of ``onChange``, so that the last one has the newest token.
  private let reporting = Mutex(())

  init(
    _ token: BearerToken? = nil, refresh: BearerToken.Refresh? = nil,
    onChange: @escaping @Sendable (BearerToken?) -> Void = { _ in }
  ) {
    (self.refresh, self.onChange) = (refresh, onChange)
    state = Mutex(State(token: token))
  }

  /// Whether the current task refreshes the token, which can't wait for that token.
  var isRefreshing: Bool { Self.refreshing.contains(ObjectIdentifier(self)) }

  var token: BearerToken? { state.withLock { $0.token } }

  /// Adds an object that forgets the user after the objects that were added before it.
  func add(_ follower: any SessionFollower) {
    members.withLock { members in
      members.removeAll { $0.follower == nil }
      members.append(Member(follower: follower))
    }
  }

  /// Sets the token of a user, after the session of another user has ended.
  func begin(_ token: BearerToken) async {
    precondition(refresh != nil, "The client has no .bearer(_:refresh:onChange:).")
    if self.token != nil { await end() }
    state.withLock { state in
      state.token = token
      state.generation += 1
    }
    reportChange()
    for follower in members.withLock({ $0.compactMap(\.follower) }) { follower.userSignedIn() }
  }

  /// Removes the token and the user's data, and cancels the requests that wait for another token.
  ///
  /// - Parameter since: The number of sign-outs after which there must have been no other.
  func end(since: Int? = nil) async {
    let waiting = state.withLock { state -> [Renewal]? in
      guard since.map({ $0 == state.signOuts }) ?? true else { return nil }
      state.signOuts = Call.signOuts.add(1, ordering: .sequentiallyConsistent).newValue
      state.token = nil
      state.generation += 1
      defer { state.waiting = nil }
      return state.waiting ?? []
    }
    guard let waiting else { return }
    reportChange()
    for waiter in waiting { waiter.stop() }
    for follower in members.withLock({ $0.compactMap(\.follower) }) { await follower.forgetUser() }
  }

  /// Returns the token to use, or the replacement of a rejected token; waits for a running refresh.
  ///
  /// - Parameter rejected: The generation of the rejected token.
  /// - Throws: ``Client/Error/cancelled`` for a call that began before the user signed out.
  func token(
    after rejected: Int? = nil, for request: OutgoingRequest
  ) async throws(Client.Error) -> Current {
    let waiter = Renewal()
    let (ready, old) = try state.withLock { state throws(Client.Error) in
      if let call = request.call, call.signOuts < state.signOuts { throw .cancelled }
      let isNewer = state.generation > rejected ?? -1
      guard let token = state.token, state.waiting != nil || !isNewer else {
        return (Optional((state.token, state.generation)), (BearerToken, Int)?.none)
      }
      defer { state.waiting = (state.waiting ?? []) + [waiter] }
      return (nil, state.waiting == nil ? (token, state.signOuts) : nil)
    }
    if let ready { return ready }
    if let old { startRenewal(of: old) }
    return try await request.wait(for: waiter, as: .waitingForToken)
  }

  /// Starts a refresh for later requests, unless the rejected token is replaced or is being refreshed.
  func beginRefresh(after rejected: Int) {
    let old = state.withLock { state -> (BearerToken, Int)? in
      guard let token = state.token, state.waiting == nil, state.generation == rejected else {
        return nil
      }
      state.waiting = []
      return (token, state.signOuts)
    }
    if let old { startRenewal(of: old) }
  }

  /// Requests a token in a task of its own, which continues when the request that started it is cancelled.
  private func startRenewal(of old: (token: BearerToken, signOuts: Int)) {
    Self.$refreshing.withValue(Self.refreshing.union([ObjectIdentifier(self)])) {
      _ = Task { @concurrent in await renew(old.token, old.signOuts) }
    }
  }

  private func renew(_ old: BearerToken, _ signOuts: Int) async {
    let result: Result<BearerToken, any Error>
    do {
      guard let token = try await refresh?(old) else { return await end(since: signOuts) }
      result = .success(token)
    } catch {
      result = .failure(error)
    }
    let renewed = state.withLock { state -> (waiting: [Renewal], generation: Int)? in
      // The token of a user who has signed out is not used.
      guard state.signOuts == signOuts else { return nil }
      if case .success(let token) = result {
        state.token = token
        state.generation += 1
      }
      defer { state.waiting = nil }
      return (state.waiting ?? [], state.generation)
    }
    guard let renewed else { return }
    if case .success = result { reportChange() }
    for waiter in renewed.waiting {
      waiter.resume(with: result.map { (Optional($0), renewed.generation) })
    }
  }

  /// Calls ``onChange`` with the newest token; requests that it starts may carry the token.
  private func reportChange() {
    Self.$refreshing.withValue(Self.refreshing.subtracting([ObjectIdentifier(self)])) {
      reporting.withLock { _ in onChange(token) }
    }
  }
}
