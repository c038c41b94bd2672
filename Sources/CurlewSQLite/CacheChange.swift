import Curlew

/// A change of stored entries, which lookups apply until the file has it.
enum CacheChange: Sendable {
  case update(StoredResponse, CacheKey)
  case remove([StoredResponse.ID], CacheKey)
  case removeAll(url: String)

  /// Returns a stored response after the change; `nil` if the change removes it.
  private func applied(to response: StoredResponse, _ key: CacheKey) -> StoredResponse? {
    switch self {
    case .update(var new, key) where new.id == response.id:
      new.bodySize = response.bodySize
      return new
    case .update: return response
    case .remove(let ids, let other):
      return other == key && ids.contains(response.id) ? nil : response
    case .removeAll(let url): return key.isAt(url, andBelow: false) ? nil : response
    }
  }

  /// Returns a stored response after several changes; `nil` if they remove it.
  static func applied(
    _ changes: [CacheChange], to response: StoredResponse, _ key: CacheKey
  ) -> StoredResponse? {
    changes.reduce(response) { response, change in response.flatMap { change.applied(to: $0, key) }
    }
  }
}
