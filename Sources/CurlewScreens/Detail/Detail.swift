/// One thing at length: what a list knew of it is shown at once, the rest is loaded.
///
/// ```swift
/// let detail = Detail(known: { recent[$0] }) { name in try await host.repository(named: name) }
/// ```
public struct Detail<ID, Known, Content>: Screen
where
  ID: Hashable & Sendable, Known: Equatable & Sendable, Content: Equatable & Sendable
{
  /// What happens on a detail screen.
  public enum Event: Sendable {
    /// The user comes to a thing.
    case show(ID)
    /// The user asks for it anew; what is there is shown until then.
    case refresh
    /// The user asks to repeat what failed.
    case retry
  }

  /// What a detail screen shows.
  public struct State: Equatable, Sendable {
    /// What is shown; `nil` before anything is.
    public fileprivate(set) var id: ID?
    /// What was known of it before it was loaded.
    public fileprivate(set) var known: Known?
    /// The thing itself.
    public var content: Loadable<Content>

    /// Creates the state of a screen that was not touched yet, or any other for a preview or a
    /// test.
    public init(id: ID? = nil, known: Known? = nil, content: Loadable<Content> = .idle) {
      self.id = id
      self.known = known
      self.content = content
    }
  }

  private let known: @Sendable (ID) -> Known?
  private let load: @Sendable (ID) async throws -> Content?

  /// Creates a detail screen.
  ///
  /// - Parameters:
  ///   - known: Returns what is known of a thing already, for example from a ``RecentValues``.
  ///   - load: Loads the thing; `nil` when there is none.
  public init(
    known: @escaping @Sendable (ID) -> Known? = { _ in nil },
    load: @escaping @Sendable (ID) async throws -> Content?
  ) {
    self.known = known
    self.load = load
  }

  /// Nothing to show yet.
  public var initial: State { State() }

  /// Handles what happens on the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .show(let id):
      guard id != state.id else { return work.join(.detail) }
      state = State(id: id, known: known(id))
      load(id, &state, &work)
    case .refresh:
      guard let id = state.id, !state.content.isLoading else { return work.join(.detail) }
      load(id, &state, &work)
    case .retry:
      guard let id = state.id, state.content.failure != nil else { return }
      load(id, &state, &work)
    }
  }

  private func load(_ id: ID, _ state: inout State, _ work: inout Work<State>) {
    state.content.begin()
    work.latest(.detail) { [load] in
      try await load(id)
    } finished: { state, result, _ in
      switch result {
      case .success(nil): state.content = .empty
      case .success(let content?): state.content = .content(content)
      case .failure(let error): state.content.finish(.failure(error))
      }
    }
  }
}

extension WorkID {
  /// The transfer of a ``Detail``.
  public static let detail: WorkID = "detail"
}
