public import CurlewScreens

/// A search beside a naive search: both receive the same keystrokes and use the same source and
/// latency.
public struct SearchComparison<Item: Equatable & Sendable>: Screen {
  /// An event of both searches, or a new latency.
  public enum Event: Sendable {
    case search(Search<Item>.Event)
    case latency(Duration)
  }

  /// The state of both searches.
  public struct State: Equatable, Sendable {
    /// The search.
    public internal(set) var search: Search<Item>.State
    /// The naive search.
    public internal(set) var naive: NaiveSearch<Item>.State
    /// The latency added to a search for one letter.
    public internal(set) var latency = Duration.zero
    /// The number of changes of the text.
    public internal(set) var keystrokes = 0
    /// The number of requests sent by the search; ``naive`` counts its own.
    public internal(set) var requests = 0
    /// The text of the counted request that is still in flight.
    var requested: String?
  }

  /// The maximum latency.
  public static var maximumLatency: Duration { .seconds(3) }

  private let clock: any Clock<Duration>
  private let find: @Sendable (String) async throws -> [Item]
  private let naive = NaiveSearch<Item>()

  /// Creates a comparison of the searches on a source.
  ///
  /// - Parameters:
  ///   - clock: The clock for the latency.
  ///   - find: A closure that searches for a text.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    find: @escaping @Sendable (String) async throws -> [Item]
  ) {
    (self.clock, self.find) = (clock, find)
  }

  /// The initial state: no text and no results.
  public var initial: State { State(search: search().initial, naive: naive.initial) }

  /// Both searches; the screen reports only the first search's failures and activity.
  public var parts: [Part<State, Event>] {
    [Part(\.search, search(), event: Event.search), Part(\.naive, naive)]
  }

  /// Passes a text to both searches, or changes the latency of subsequent requests.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .latency(let latency):
      state.latency = min(max(latency, .zero), Self.maximumLatency)
    case .search(let event):
      let latency = state.latency
      if case .term(let text) = event, text != state.search.text {
        state.keystrokes += 1
        let change = NaiveSearch<Item>.Event(text: text) { try await find($0, latency) }
        work.scope(\.naive) { naive.handle(change, &state.naive, &$0) }
      }
      work.scope(\.search) { search(latency).handle(event, &state.search, &$0) }
    }
  }

  /// Counts the requests of the search.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    let requested = state.search.isLoading ? state.search.term : nil
    guard requested != state.requested else { return }
    if requested != nil { state.requests += 1 }
    state.requested = requested
  }

  func search(_ latency: Duration = .zero) -> Search<Item> {
    Search { text in try await find(text, latency) }
  }

  /// Simulates that broad searches are slow because they return more: one letter waits for the
  /// whole latency, two letters for half of it.
  private func find(_ text: String, _ latency: Duration) async throws -> [Item] {
    if latency > .zero { try await clock.sleep(for: latency / max(1, text.count)) }
    return try await find(text)
  }
}
