/// A detail screen: shows the known part of a value immediately, and loads the rest.
///
/// ```swift
/// let detail = Detail(known: { recent[$0] }) { name in try await host.repository(named: name) }
/// ```
public struct Detail<ID, Known, Content>: Screen
where
  ID: Hashable & Sendable, Known: Equatable & Sendable, Content: Equatable & Sendable
{
  /// An event of a detail screen.
  public enum Event: Sendable, Equatable {
    /// The user opens the value with an id, or returns to it; then a failed load is retried.
    case show(ID)
    /// The user requests a refresh, from the server (`Reload`); the current content stays visible until it finishes.
    case refresh
    /// The user retries a failed or cancelled load.
    case retry
    /// The value is no longer needed, for example after a sign-out; clears the screen, and cancels the load.
    case clear
  }

  /// The state of a detail screen.
  public struct State: Equatable, Sendable, LoadingState {
    /// The id of the displayed value; `nil` before a value is opened, and after ``Event/clear``.
    public fileprivate(set) var id: ID?
    /// The part of the value that was known before it was loaded.
    public fileprivate(set) var known: Known?
    /// The loaded value; empty when no value with this id exists.
    public var content: Loadable<Content> {
      // A parent that resets the content does not await its load.
      didSet { if content.isIdle { ticket = nil } }
    }
    @Unobserved var ticket: LoadTicket?

    /// Creates the initial state of the screen, or any other state for a preview or a test.
    public init(id: ID? = nil, known: Known? = nil, content: Loadable<Content> = .idle) {
      self.id = id
      self.known = known
      self.content = content
    }

    var isLoading: Bool { content.isLoading }

    mutating func cancelLoading() { content.cancelLoading() }
  }

  private let known: @Sendable (ID) -> Known?
  private let source: Source<ID, Content>

  /// Creates a detail screen.
  ///
  /// - Parameters:
  ///   - known: A closure that returns the known part of a value; by default, the part that the source knows, such as a
  ///     row in a store.
  ///   - source: The source of the value.
  public init(known: (@Sendable (ID) -> Known?)? = nil, source: Source<ID, Content>) {
    self.known = known ?? { source.live?.known($0, as: Known.self) }
    self.source = source
  }

  /// Creates a detail screen whose value is loaded by a closure; it returns `nil` when the value does not exist.
  public init(
    known: (@Sendable (ID) -> Known?)? = nil,
    load: @escaping @Sendable (ID) async throws -> Content?
  ) {
    self.init(known: known, source: Source(load))
  }

  /// The state without a value.
  public var initial: State { State() }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    state.endAbandonedLoad()
    switch event {
    case .show(let id) where id == state.id && !state.content.isIdle:
      if state.content.failure != nil { load(id, &state, &work) }
      work.join(.detail)
    case .show(let id):
      state = State(id: id, known: known(id))
      load(id, &state, &work)
    case .refresh:
      guard let id = state.id, !state.content.isLoading else { return work.join(.detail) }
      // A store reloads by itself what is not fresh.
      load(id, reloads: !(work.isBackground && source.live != nil), &state, &work)
    case .retry:
      guard let id = state.id, state.content.failure != nil || state.content.isIdle else { return }
      load(id, &state, &work)
    case .clear:
      state = State()
      work.cancel(.detail)
      if source.live != nil { work.cancel(.detailChanges) }
    }
  }

  private func follow(_ id: ID, _ work: inout Work<State>) {
    guard let live = source.live else { return }
    work.follow(.detailChanges, [id], of: live) { state, _ in
      guard state.id == id else { return }
      adoptCurrent(id, &state)
      if let newest = known(id) {
        state.known = newest
      } else if state.content.isEmpty || state.content.isIdle {
        // Removed, or its account was cleared.
        state.known = nil
      }
    }
  }

  /// Returns the load of the content, which ``Event/retry`` retries.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    let content = state.content
    return [
      LoadStatus(
        name: .detail, kind: content.latest == nil ? .first : .refresh,
        isLoading: content.isLoading, failure: content.failure, retry: .retry,
        reload: state.id == nil ? nil : .refresh)
    ]
  }

  private func load(
    _ id: ID, reloads: Bool = false, _ state: inout State, _ work: inout Work<State>
  ) {
    state.content.startLoading()
    follow(id, &work)
    let ticket = LoadTicket()
    state.ticket = ticket
    let detail = self
    work.load(.detail, ticket, reloads: reloads) {
      try await detail.source.load(id, $0)
    } each: { state, value, _ in
      state.content = .loading(last: value.value, asOf: value.asOf)
    } finished: { state, result, _ in
      guard !detail.source.hasDiscarded(result) else { return state.cancelLoading() }
      // An empty collection is content here, not `.empty`.
      switch result {
      case .success(let value?): state.content = .content(value.value, asOf: value.asOf)
      case .failure(let error) where detail.source.isMissing(error): state.content = .empty
      case .success, .failure: state.content.finishLoading(withLast: result)
      }
      // The value may have changed since the load returned.
      if case .success = result { detail.adoptCurrent(id, &state) }
    }
  }

  /// Shows the current value of a live source.
  private func adoptCurrent(_ id: ID, _ state: inout State) {
    guard let current = source.live?.current(id).shown else { return }
    let isMissing = current.failure.map { source.isMissing($0.error) } ?? false
    state.content.follow(isMissing ? .empty : current)
  }
}

/// A decoded state is not loading; showing its id loads the value if there is no content.
extension Detail.State: Codable where ID: Codable, Known: Codable, Content: Codable {
  private enum CodingKeys: CodingKey { case id, known, content }
}

extension WorkID {
  /// The load of a ``Detail``.
  public static let detail: WorkID = "detail"
  /// The changes of a ``Detail`` whose source is live.
  static let detailChanges: WorkID = "detail.changes"
}

extension Detail.State where Known == Content {
  /// The loaded value, or the known value until it is loaded; `nil` when neither exists.
  public var latest: Content? { content.isEmpty ? nil : content.latest ?? known }
}
