/// What is going on in a ``Feed``.
public enum FeedStatus: Equatable, Sendable {
  /// Nothing was asked for.
  case idle
  /// A page is awaited.
  case loading(FeedPart)
  /// There is more than the items that are there.
  case content
  /// There are items, and all of them are there.
  case ended
  /// The list has no items.
  case empty
  /// A page could not be loaded.
  case failed(LoadFailure, FeedPart)

  /// What could not be loaded.
  public var failedPart: FeedPart? {
    if case .failed(_, let part) = self { part } else { nil }
  }
}

/// What a transfer of a ``Feed`` is for.
public enum FeedPart: Equatable, Sendable {
  /// The first page, while none is there or another list is to be shown.
  case first
  /// The page after those that are there.
  case next
  /// The first page anew.
  case refresh
}
