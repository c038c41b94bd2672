/// The loading status of a ``Feed``.
public enum FeedStatus: Equatable, Sendable {
  /// Loading has not started.
  case idle
  /// A page is loading.
  case loading(FeedLoad)
  /// Items are loaded, and there are more pages.
  case content
  /// All items are loaded.
  case ended
  /// The list has no items.
  case empty
  /// A page could not be loaded.
  case failed(LoadFailure, FeedLoad)

  /// The kind of load that failed; `nil` when no load has failed.
  public var failedLoad: FeedLoad? {
    if case .failed(_, let kind) = self { kind } else { nil }
  }
}

/// A kind of load of a ``Feed``.
public enum FeedLoad: Equatable, Sendable {
  /// The first page, when no page is loaded or another list will be shown.
  case first
  /// The page after the loaded pages.
  case next
  /// A reload of the first page; the current items stay until it is loaded.
  case refresh
}

extension Feed.State {
  /// Whether a page is loading.
  public var isLoading: Bool {
    if case .loading = status { true } else { false }
  }

  /// Returns whether a given kind of load is running.
  public func isLoading(_ kind: FeedLoad) -> Bool { status == .loading(kind) }

  /// The reason why a page could not be loaded; `nil` when no load has failed.
  public var failure: LoadFailure? {
    if case .failed(let failure, _) = status { failure } else { nil }
  }

  /// Whether the next page can be requested: it exists, and the current items directly precede it.
  public var canLoadMore: Bool {
    let failed = status.failedLoad
    return next != nil && (status == .content || failed == .next || failed == .refresh)
  }
}
