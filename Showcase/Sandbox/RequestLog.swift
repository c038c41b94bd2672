import Synchronization

extension Sandbox {
  /// A request that the sandbox was sent.
  public struct LoggedRequest: Sendable, Equatable {
    /// The method in capitals, such as `GET`.
    public var method: String
    /// The path as it arrived, percent-encoded.
    public var path: String
    /// The query as it arrived, without its question mark and with the value of `api_key` masked;
    /// nil when there is none.
    public var query: String?
    /// The status of the answer; nil while the request waits for it.
    public var status: Int?

    /// Creates an entry, for instance to compare one from the log with.
    public init(method: String, path: String, query: String? = nil, status: Int? = nil) {
      self.method = method
      self.path = path
      self.query = query
      self.status = status
    }
  }
}

/// The newest requests in order of arrival.
final class RequestLog: Sendable {
  static let capacity = 10_000

  private struct State {
    var entries: [Sandbox.LoggedRequest] = []
    /// How many entries are gone from the front, so that a ticket still finds its entry.
    var dropped = 0
  }

  private let state = Mutex(State())

  var entries: [Sandbox.LoggedRequest] {
    state.withLock { Array($0.entries.suffix(Self.capacity)) }
  }

  /// Hides the value of an `api_key`, so that the log can be shown to anybody.
  static func masked(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      // Read as the answer reads it: an escaped name is the same name.
      guard let name = Query(String(item)).items.first?.name, name.lowercased() == "api_key" else {
        return String(item)
      }
      return "api_key=REDACTED"
    }.joined(separator: "&")
  }

  /// Writes a request down and returns the ticket for its status.
  func arrived(_ request: Sandbox.LoggedRequest) -> Int {
    state.withLock { state in
      // Dropping half a log at a time keeps the mean cost of an entry constant.
      if state.entries.count >= 2 * Self.capacity {
        state.entries.removeFirst(Self.capacity)
        state.dropped += Self.capacity
      }
      state.entries.append(request)
      return state.dropped + state.entries.count - 1
    }
  }

  func answered(_ ticket: Int, status: Int) {
    state.withLock { state in
      let index = ticket - state.dropped
      guard state.entries.indices.contains(index) else { return }
      state.entries[index].status = status
    }
  }

  func forget() {
    state.withLock { state in
      state.dropped += state.entries.count
      state.entries.removeAll()
    }
  }
}
