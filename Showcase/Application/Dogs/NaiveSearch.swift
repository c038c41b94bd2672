public import CurlewScreens

/// A search as it is often written: each change of the text sends a request, and the response that arrives last
/// is shown, whatever was typed since.
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
    /// The text whose results are shown; `nil` before the first ones.
    public internal(set) var shown: String?
    /// The results that arrived last.
    public internal(set) var items: [Item] = []
    /// The number of requests that were sent.
    public internal(set) var requests = 0
    /// The number of requests that wait for their responses.
    public internal(set) var pending = 0

    /// Whether the results are those of another text than the one in the field.
    public var isWrong: Bool { shown.map { $0 != text } ?? false }
  }

  /// The most requests at once; a text that is typed meanwhile sends none.
  public static var limit: Int { 32 }

  /// No text and no results.
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
    // A name of its own, so that no request replaces another one.
    work.latest("request \(state.requests)") {
      try await find(text)
    } finished: { state, result, _ in
      state.pending -= 1
      guard case .success(let items) = result else { return }
      (state.shown, state.items) = (text, items)
    }
  }
}
