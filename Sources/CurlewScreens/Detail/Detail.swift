public import Foundation

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
    /// The user requests a refresh, from the server (`Reload`); the current content stays visible until
    /// it finishes.
    case refresh
    /// The user retries a failed or cancelled load.
    case retry
    /// The value is no longer needed, for example after a sign-out; clears the screen, and cancels the
    /// load.
    case clear
  }

  /// The state of a detail screen.
  public struct State: Equatable, Sendable, AwaitingState {
    /// The id of the displayed value; `nil` before a value is opened, and after ``Event/clear``.
    public fileprivate(set) var id: ID?
    /// The part of the value that was known before it was loaded.
    public fileprivate(set) var known: Known?
    /// The loaded value.
    public var content: Loadable<Content> {
      // A parent that resets the content does not await its load.
      didSet { if content.isIdle { awaited = nil } }
    }
    /// Whether no value with this id exists.
    public var isMissing: Bool {
      if case .empty = content.phase { true } else { false }
    }
    @Unobserved var awaited: LoadTicket?

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
  /// Loads the value; `nil` when no value with the id exists.
  private let source: Source<ID, Dated<Content>?>
  /// A source whose values change after they have been loaded.
  private let live: LiveSource<ID, Content>?

  /// Creates a detail screen.
  ///
  /// - Parameters:
  ///   - known: A closure that returns the known part of a value, for example from a ``RecentValues``.
  ///   - asOf: A closure that returns the time at which a loaded value was current; `nil` when it is
  ///     unknown.
  ///   - load: A closure that loads the value; it returns `nil` when the value does not exist.
  public init(
    known: @escaping @Sendable (ID) -> Known? = { _ in nil },
    asOf: @escaping @Sendable (Content) -> Date? = { _ in nil },
    load: @escaping @Sendable (ID) async throws -> Content?
  ) {
    self.known = known
    live = nil
    source = Source { id in try await load(id).map { Dated($0, asOf: asOf($0)) } }
  }

  /// Creates a detail screen whose source may deliver several values: the stored value first,
  /// and then the current value.
  ///
  /// Until the sequence ends, its values are displayed and the content counts as loading.
  ///
  /// - Parameters:
  ///   - known: A closure that returns the known part of a value.
  ///   - values: A closure that makes the sequence; an empty sequence keeps the displayed content.
  public init<Values: AsyncSequence & SendableMetatype>(
    known: @escaping @Sendable (ID) -> Known? = { _ in nil },
    values: @escaping @Sendable (ID) async throws -> Values
  ) where Values.Element == Dated<Content>, Values.AsyncIterator: SendableMetatype {
    self.known = known
    live = nil
    source = Source(values: values) { $0 }
  }

  /// Creates a detail screen with a live source: the content follows the source's changes.
  package init(known: @escaping @Sendable (ID) -> Known?, live: LiveSource<ID, Content>) {
    self.known = known
    self.live = live
    source = Source(load: { id, each in .some(try await live.load(id) { each($0) }) })
  }

  /// The state without a value.
  public var initial: State { State() }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    state.endDeadLoad()
    switch event {
    case .show(let id) where id == state.id && state.content.failure != nil:
      load(id, &state, &work)
    case .show(let id):
      guard id != state.id || state.content.isIdle else { return work.join(.detail) }
      state = State(id: id, known: known(id))
      load(id, &state, &work)
    case .refresh:
      guard let id = state.id, !state.content.isLoading else { return work.join(.detail) }
      load(id, reloads: true, &state, &work)
    case .retry:
      guard let id = state.id, state.content.failure != nil || state.content.isIdle else { return }
      load(id, &state, &work)
    case .clear:
      state = State()
      work.cancel(.detail)
      if live != nil { work.cancel(.detailChanges) }
    }
  }

  /// Ends loading in a state that was kept while it was loading, and is put back.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    state.endDeadLoad()
  }

  private func follow(_ id: ID, _ work: inout Work<State>) {
    guard let live else { return }
    work.follow(.detailChanges) { isResumed, changed in
      await live.follow([id], isResumed, changed)
    } each: { state, _ in
      guard state.id == id else { return }
      state.content.follow(live.current(id))
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
    state.awaited = ticket
    let (source, live) = (source, live)
    work.load(.detail, ticket, reloads: reloads) {
      try await source.load(id, $0)
    } each: { (state: inout State, value: Dated<Content>?, _: inout Work<State>) in
      state.content = .loading(last: value?.value, asOf: value?.asOf)
    } finished: { state, result, _ in
      // An empty collection is content here, not `.empty`.
      switch result {
      case .success(let value??): state.content = .content(value.value, asOf: value.asOf)
      case .success(.some(nil)): state.content = .empty
      case .success(nil): state.content.finishLoading(withLast: .success(nil))
      case .failure(is CancellationError) where live != nil: state.content.cancelLoading()
      case .failure(let error): state.content.finishLoading(with: .failure(error))
      }
      // The value may have changed since the load returned.
      if let live, case .success = result { state.content.follow(live.current(id)) }
    }
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
  public var latest: Content? { isMissing ? nil : content.latest ?? known }
}
