import CurlewSupport
import Foundation

/// An iterator over the values of an endpoint: the stored value, then the current value if it differs;
/// for ``Client/values(of:)``.
struct CachedValues<Value: Sendable>: AsyncIteratorProtocol {
  private enum Step {
    case stored
    case current(Data?)
    case end
  }

  /// A value with the bytes that it was decoded from.
  private typealias Loaded = (value: Dated<Value>, data: Data)

  private let load: (CacheUse, Data?) async throws(Client.Error) -> Loaded?
  private var step = Step.stored

  init<E: Endpoint<Value>>(_ client: Client, _ endpoint: E) {
    load = { use, known async throws(Client.Error) in
      try await client.load(endpoint, use, unless: known)
    }
  }

  mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Client.Error) -> Dated<Value>? {
    if case .stored = step {
      if let stored = try await stored() {
        step = .current(stored.data)
        return stored.value
      }
      step = .current(nil)
    }
    guard case .current(let known) = step else { return nil }
    step = .end
    return try await load(CacheUse(isCurrent: true), known)?.value
  }

  private func stored() async throws(Client.Error) -> Loaded? {
    do {
      return try await load(CacheUse(mode: .cacheOnly), nil)
    } catch {
      if case .cancelled = error { throw error }
      return nil
    }
  }
}
