extension Search.State {
  /// The placeholder to show instead of the items; `nil` when there are items.
  public var placeholder: ListPlaceholder? {
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
  /// The placeholder to show instead of the items; `nil` when there are items, or the next page may have some.
  public var placeholder: ListPlaceholder? {
    switch list.placeholder {
    case .initial: hint.map { .hint($0) } ?? .initial
    case .empty: .empty(term: term ?? "")
    case let placeholder: placeholder
    }
  }
}
