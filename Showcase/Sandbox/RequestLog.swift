import Foundation
import Synchronization

extension Sandbox {
  /// A request received by the sandbox.
  public struct LoggedRequest: Sendable, Equatable {
    /// The method in capitals, such as `GET`.
    public var method: String
    /// The path of the request, percent-encoded.
    public var path: String
    /// The query of the request, without its question mark and with the value of `api_key` masked;
    /// nil if there is none.
    public var query: String?
    /// The status of the response; nil before the response.
    public var status: Int?

    /// Creates an entry, for example for a comparison with a logged request.
    public init(method: String, path: String, query: String? = nil, status: Int? = nil) {
      self.method = method
      self.path = path
      self.query = query
      self.status = status
    }
  }
}

/// The newest requests, in order of arrival.
package final class RequestLog: Sendable {
  package static let capacity = 10_000

  private struct State {
    var entries: [Sandbox.LoggedRequest] = []
    /// The number of entries removed from the front, to convert an id to an index.
    var removed = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var entries: [Sandbox.LoggedRequest] {
    state.withLock { Array($0.entries.suffix(Self.capacity)) }
  }

  /// Masks the value of `api_key`, so that the log contains no secrets.
  package static func masked(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      // Decoded like the query itself: an escaped name is the same name.
      let name = item.prefix { $0 != "=" }.removingPercentEncoding
      return name?.lowercased() == "api_key" ? "api_key=REDACTED" : String(item)
    }.joined(separator: "&")
  }

  /// Adds a request and returns its id.
  package func add(_ request: Sandbox.LoggedRequest) -> Int {
    state.withLock { state in
      // Removing half of the log at a time keeps the amortized cost of an entry constant.
      if state.entries.count >= 2 * Self.capacity {
        state.entries.removeFirst(Self.capacity)
        state.removed += Self.capacity
      }
      state.entries.append(request)
      return state.removed + state.entries.count - 1
    }
  }

  /// Sets the status of a request, unless it has been removed.
  package func setStatus(_ status: Int, of id: Int) {
    state.withLock { state in
      guard state.entries.indices.contains(id - state.removed) else { return }
      state.entries[id - state.removed].status = status
    }
  }

  package func removeAll() {
    state.withLock { state in
      state.removed += state.entries.count
      state.entries.removeAll()
    }
  }
}
