/// The placeholder of a search screen without items.
public enum SearchPlaceholder: Equatable, Sendable {
  /// Nothing has been searched yet.
  case initial
  /// The text can't be searched; the hint describes what to type.
  case hint(String)
  /// The first results are loading.
  case loading
  /// The search for a term found no items.
  case empty(term: String)
  /// The search failed, and there are no earlier results.
  case failed(LoadFailure)
}

extension Search.State {
  /// The placeholder to show instead of the items; `nil` when there are items.
  public var placeholder: SearchPlaceholder? {
    switch results {
    case .idle: hint.map { .hint($0) } ?? .initial
    case .loading(nil, _): .loading
    case .empty: .empty(term: term ?? "")
    case .failed(let failure, nil, _): .failed(failure)
    case .loading, .content, .failed: nil
    }
  }
}

extension PagedSearch.State {
  /// The placeholder to show instead of the items; `nil` when there are items.
  public var placeholder: SearchPlaceholder? {
    guard list.items.isEmpty else { return nil }
    switch list.status {
    case .idle: return hint.map { .hint($0) } ?? .initial
    case .loading: return .loading
    case .failed(let failure, _): return .failed(failure)
    case .content, .ended, .empty: return .empty(term: term ?? "")
    }
  }
}
