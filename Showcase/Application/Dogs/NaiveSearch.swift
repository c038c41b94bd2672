public import CurlewScreens

/// A common but incorrect search: each change of the text sends a request, and the last response to
/// arrive is shown, even if the text has changed since its request.
public struct NaiveSearch<Item: Equatable & Sendable>: Screen {
  /// A change of the text.
  public struct Event: Sendable {
    let text: String
    let find: @Sendable (String) async throws -> [Item]
  }

  /// The state of the search.
  public struct State: Equatable, Sendable {
    /// The text in the field.
    public internal(set) var text = ""
    /// The text of the displayed results; `nil` before the first results.
    public internal(set) var shown: String?
    /// The results of the last response.
    public internal(set) var items: [Item] = []
    /// The number of requests sent.
    public internal(set) var requests = 0
    /// The number of requests in flight.
    public internal(set) var pending = 0

    /// Whether the results belong to a different text than the text in the field.
    public var isWrong: Bool { shown.map { $0 != text } ?? false }
  }

  /// The maximum number of concurrent requests; at the limit, a change of the text sends no
  /// request.
  public static var limit: Int { 32 }

  /// The initial state: no text and no results.
  public var initial: State { State() }

  /// Sends a request for the text.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    let text = event.text
    guard text != state.text else { return }
    state.text = text
    guard !text.allSatisfy(\.isWhitespace) else {
      (state.shown, state.items) = (nil, [])
      return
    }
    guard state.pending < Self.limit else { return }
    state.requests += 1
    state.pending += 1
    let find = event.find
    // A unique identifier, so that no request cancels an earlier request.
    work.latest("request \(state.requests)") {
      try await find(text)
    } finished: { state, result, _ in
      state.pending -= 1
      guard case .success(let items) = result else { return }
      (state.shown, state.items) = (text, items)
    }
  }
}
