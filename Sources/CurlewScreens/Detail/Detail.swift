/// A detail screen: shows what is already known about a value immediately, and loads the rest.
///
/// ```swift
/// let detail = Detail(known: { recent[$0] }) { name in try await host.repository(named: name) }
/// ```
public struct Detail<ID, Known, Content>: Screen
where
  ID: Hashable & Sendable, Known: Equatable & Sendable, Content: Equatable & Sendable
{
  /// An event of a detail screen.
  public enum Event: Sendable {
    /// The user opens the value with an id.
    case show(ID)
    /// The user requests a refresh; the current content stays visible until it finishes.
    case refresh
    /// The user retries a failed load.
    case retry
  }

  /// The state of a detail screen.
  public struct State: Equatable, Sendable {
    /// The id of the value shown; `nil` before the first.
    public fileprivate(set) var id: ID?
    /// The part of the value that was known before it was loaded.
    public fileprivate(set) var known: Known?
    /// The loaded value.
    public var content: Loadable<Content>

    /// Creates the initial state of the screen, or any other state for a preview or a test.
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
  ///   - known: A closure that returns what is already known about a value, for example from a
  ///     ``RecentValues``.
  ///   - load: A closure that loads the value; it returns `nil` when there is none.
  public init(
    known: @escaping @Sendable (ID) -> Known? = { _ in nil },
    load: @escaping @Sendable (ID) async throws -> Content?
  ) {
    self.known = known
    self.load = load
  }

  /// No value to show.
  public var initial: State { State() }

  /// Handles an event of the screen.
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
  /// The load of a ``Detail``.
  public static let detail: WorkID = "detail"
}
