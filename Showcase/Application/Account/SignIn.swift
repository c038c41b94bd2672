public import CurlewScreens

/// The sign-in of an app's user by a name, and the sign-out; ``State`` says what came of the newest one.
public struct SignIn: Screen {
  /// What the user wants.
  public enum Event: Equatable, Sendable {
    /// Sign in with a name.
    case signIn(String)
    /// Sign out; asks first if that discards changes.
    case signOut
    /// Sign out, and discard the changes that have not been sent.
    case discard
  }

  /// The newest sign-in or sign-out.
  public struct State: Equatable, Sendable {
    /// Whether it is running; meanwhile another one does nothing.
    public fileprivate(set) var isRunning = false
    /// The changes that a sign-out would discard, such as `2 changes are not sent yet`; `nil` unless it asks.
    public fileprivate(set) var discarded: String?
    /// The sentence about an unknown name.
    public fileprivate(set) var problem: String?
    fileprivate var failure: LoadFailure?
    fileprivate var event: Event?
  }

  private let signIn: @Sendable (String) async throws -> Bool
  private let signOut: @Sendable () async -> Void
  private let pending: @Sendable () -> String?

  /// Creates the screen of an account, whose sign-in returns false for an unknown name.
  ///
  /// - Parameters:
  ///   - signIn: Signs a user in.
  ///   - signOut: Signs the user out, and discards the changes that have not been sent.
  ///   - pending: Returns a text about these changes; `nil` if there are none.
  public init(
    signIn: @escaping @Sendable (String) async throws -> Bool,
    signOut: @escaping @Sendable () async -> Void,
    pending: @escaping @Sendable () -> String? = { nil }
  ) {
    (self.signIn, self.signOut, self.pending) = (signIn, signOut, pending)
  }

  /// The state before the user does something.
  public var initial: State { State() }

  /// Signs in or out.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    guard !state.isRunning else { return }
    if event == .signOut, let pending = pending() {
      state.discarded = pending
      return
    }
    state = State(isRunning: true, event: event)
    work.write("account") { [signIn, signOut] in
      if case .signIn(let name) = event { return try await signIn(name) }
      await signOut()
      return true
    } finished: { state, result, _ in
      state.isRunning = false
      switch result {
      case .success(let isKnown): state.problem = isKnown ? nil : "There is no such user."
      case .failure(let error): state.failure = LoadFailure(error)
      }
    }
  }

  /// The newest sign-in or sign-out, which the user can repeat.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: "account", kind: .write, isLoading: state.isRunning, failure: state.failure,
        retry: state.event)
    ]
  }
}
